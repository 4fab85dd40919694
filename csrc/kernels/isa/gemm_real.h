#pragma once

#include "kernels/gemm.h"
#include "kernels/isa/gemm_few.h"
#include "kernels/isa/gemm_split.h"

namespace tinytf::kernels::TINYTF_ISA {

inline bool transposes(MatrixOp op) { return (static_cast<int>(op) & 1) != 0; }

/// Rows of op(A) for multiply(). Direct panels point into the matrix, others are packed.
template <class T>
struct MatrixA {
  const T* data;
  int64_t ld;
  bool transposed;
  bool direct;

  PanelA<T> panel(int64_t i, int rows, int64_t p, int64_t length, T* room) const {
    const T* from = transposed ? data + p * ld + i : data + i * ld + p;
    if (direct) return transposed ? PanelA<T>{from, 1, ld} : PanelA<T>{from, ld, 1};
    if (!transposed) {
      const int64_t row = panel_row<T>(length);
      for (int r = 0; r < rows; ++r) copy_values(from + r * ld, length, room + r * row);
      return {room, row, 1};
    }
    pack_along<kTileRows>(from, ld, rows, length, room);
    return {room, 1, kTileRows};
  }
};

/// Columns of op(B) for multiply(). A direct block needs contiguous rows.
template <class T>
struct MatrixB {
  const T* data;
  int64_t ld;
  bool transposed;
  bool direct;

  BlockB<T> block(int64_t p, int64_t length, int64_t j, int64_t columns, T* room) const {
    constexpr int64_t kColumns = kTileColumns<T>;
    const T* from = transposed ? data + j * ld + p : data + p * ld + j;
    if (direct) return {from, ld, kColumns};
    if (transposed) {
      for (int64_t q = 0; q < columns; q += kColumns) {
        pack_across([=](int r) { return from + (q + r) * ld; }, static_cast<int>(std::min(kColumns, columns - q)),
                    kColumns, length, room + q * length);
      }
    } else {
      pack_bands<kColumns>(from, ld, columns, length, room);
    }
    return {room, kColumns, kColumns * length};
  }
};

/// Columns of op(B) for multiply() that are packed as panels already, each `k` steps long.
template <class T>
struct Panels {
  const T* data;
  int64_t k;

  BlockB<T> block(int64_t p, int64_t, int64_t j, int64_t, T*) const {
    return {data + j * k + p * kTileColumns<T>, kTileColumns<T>, kTileColumns<T> * k};
  }
};
template <class T>
inline constexpr bool kPacksColumns<Panels<T>> = false;

/// Makes panels of all columns of a matrix [k, n], using its own packing.
template <class Matrix, class T>
void pack_columns(const Matrix& matrix, int64_t k, int64_t n, T* to, Parallel& parallel) {
  constexpr int64_t kWidth = kTileColumns<T>, kPanels = 8;
  parallel.run(ceil_div(n, kWidth), kPanels, 0.2 * static_cast<double>(kWidth * k), [&](int64_t begin, int64_t end) {
    const int64_t first = begin * kWidth;
    matrix.block(0, k, first, std::min(n, end * kWidth) - first, to + first * k);
  });
}

/// GemmArgs with typed pointers.
template <class T>
struct Product {
  int64_t m, n, k;
  const T* a;
  int64_t lda;
  bool transpose_a;
  const T* b;
  int64_t ldb;
  bool transpose_b;
  T* c;
  int64_t ldc;
  TileEnd<T> end;
  const T* panels = nullptr;

  /// Whether B is so small that its rows are best used in place, and whether they are used in place if there are no
  /// panels.
  bool has_small_b() const { return !transpose_b && k * n * sizeof(T) <= 8192; }
  bool direct_b() const { return has_small_b() || (!transpose_b && m <= 2 * kTileRows); }
};

/// Whether so few rows are better multiplied by multiply_few(). If the matrix is transposed, dot products fill the
/// vectors, which columns of few rows do not, but each must be summed up; if it is small and not transposed, panels are
/// as fast.
template <class T>
inline bool is_few(int64_t rows, int64_t length, int64_t k, bool transposed) {
  if (rows == 1) return true;
  if (transposed) {
    const bool cuts_slowly = kVectorBytes == 16 && rows % kLanes<T> != 0;  // There are no masked loads.
    return (rows * 2 <= kLanes<T> || (cuts_slowly && rows <= 16)) && k >= 32 * rows;
  }
  const int64_t most = kVectorBytes == 32 ? 10 : 16;  // 16 vector registers of AVX2 do not hold the sums of more.
  return rows <= most && length * k * static_cast<int64_t>(sizeof(T)) >= (256 << 10);
}

/// Computes g, whose C has few rows.
template <class T>
void multiply_few_rows(const Product<T>& g, Parallel& parallel) {
  Scratch scratch(g.transpose_a ? g.m * g.k * sizeof(T) : 0);
  const T* x = g.a;
  if (g.transpose_a) {
    T* const turned = scratch.as<T>();
    for (int64_t r = 0; r < g.m; ++r) {
      for (int64_t p = 0; p < g.k; ++p) turned[r * g.k + p] = g.a[p * g.lda + r];
    }
    x = turned;
  }
  multiply_few<T>(
      {g.m, g.n, g.k, x, g.transpose_a ? g.k : g.lda, g.b, g.ldb, g.transpose_b, g.c, g.ldc, 1, g.end, 0, 1}, parallel);
}

/// Computes g, whose C has few columns.
template <class T>
void multiply_few_columns(const Product<T>& g, Parallel& parallel) {
  Scratch scratch(g.transpose_b ? 0 : g.n * g.k * sizeof(T));
  const T* x = g.b;
  if (!g.transpose_b) {
    T* const turned = scratch.as<T>();
    for (int64_t r = 0; r < g.n; ++r) {
      for (int64_t p = 0; p < g.k; ++p) turned[r * g.k + p] = g.b[p * g.ldb + r];
    }
    x = turned;
  }
  multiply_few<T>(
      {g.n, g.m, g.k, x, g.transpose_b ? g.ldb : g.k, g.a, g.lda, !g.transpose_a, g.c, 1, g.ldc, g.end, 1, 0},
      parallel);
}

template <class T>
void multiply(const Product<T>& g, Parallel& parallel);

/// Multiplies few rows by the transpose of a large matrix as the transposed product: the large matrix is then read row
/// by row instead of being transposed.
template <class T>
void multiply_turned(const Product<T>& g, Parallel& parallel) {
  Scratch scratch(g.n * g.m * sizeof(T));
  T* const turned = scratch.as<T>();
  multiply<T>({g.n, g.m, g.k, g.b, g.ldb, false, g.a, g.lda, true, turned, g.m, {}}, parallel);
  pack_across([&](int j) { return turned + j * g.m; }, static_cast<int>(g.n), g.ldc, g.m, g.c);
}

/// Computes g from panels of A; B has panels already or packs its columns.
template <class T, class ColumnsB>
void multiply_blocks(const Product<T>& g, const ColumnsB& b, Parallel& parallel) {
  // Rows of A are read in place, unless they are used often and their stride would make them evict each other from L1.
  const bool direct_a = g.n <= 2 * kTileColumns<T> || (!g.transpose_a && g.lda * sizeof(T) % 1024 != 0);
  const MatrixA<T> a{g.a, g.lda, g.transpose_a, direct_a};
  if (g.m * g.n * g.k <= 40 * 40 * 40) {
    multiply<T>(0, g.m, 0, g.n, g.k, a, b, g.c, g.ldc, g.end);
    return;
  }
  split_output<T>(g.m, g.n, g.k, parallel, [&](int64_t m0, int64_t m1, int64_t n0, int64_t n1) {
    const T* bias = g.end.bias != nullptr ? g.end.bias + n0 : nullptr;
    multiply<T>(m0, m1, n0, n1, g.k, a, b, g.c + m0 * g.ldc + n0, g.ldc, {g.end.accumulate, bias, g.end.relu});
  });
}

template <class T>
void multiply(const Product<T>& g, Parallel& parallel) {
  if (g.m == 0 || g.n == 0) return;
  if (is_few<T>(g.m, g.n, g.k, g.transpose_b)) return multiply_few_rows(g, parallel);
  if (is_few<T>(g.n, g.m, g.k, !g.transpose_a)) return multiply_few_columns(g, parallel);
  if (g.panels != nullptr && !g.has_small_b()) return multiply_blocks(g, Panels<T>{g.panels, g.k}, parallel);
  const bool plain = !g.end.accumulate && g.end.bias == nullptr && !g.end.relu;
  if (plain && !g.transpose_a && g.transpose_b && g.m <= 256 && g.m * 4 <= g.n) return multiply_turned(g, parallel);
  multiply_blocks(g, MatrixB<T>{g.b, g.ldb, g.transpose_b, g.direct_b()}, parallel);
}

/// Bytes of the panels of B for products like g; 0 if it is not packed, or if so many rows read a panel that the cost
/// of packing is negligible. Cannot overflow: B is in memory and has more than a few columns.
template <class T>
int64_t panel_bytes(const Product<T>& g) {
  constexpr int64_t kMostRows = 128;
  if (g.m == 0 || g.n == 0 || g.m > kMostRows || g.has_small_b()) return 0;
  if (is_few<T>(g.m, g.n, g.k, g.transpose_b) || is_few<T>(g.n, g.m, g.k, !g.transpose_a)) return 0;
  return ceil_div(g.n, kTileColumns<T>) * kTileColumns<T> * g.k * static_cast<int64_t>(sizeof(T));
}

}  // namespace tinytf::kernels::TINYTF_ISA
