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

/// Columns of op(B) for multiply(). A direct block needs rows that are stored together.
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

/// A matrix product of known types, as GemmArgs.
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
};

/// Whether so few rows are better multiplied as such. Where the matrix is transposed, dot products fill vectors that
/// columns of few rows do not, but each must be added up; where it is not, and is small, panels are as fast.
template <class T>
inline bool is_few(int64_t rows, int64_t length, int64_t k, bool transposed) {
  if (rows == 1) return true;
  if (transposed) {
    const bool cuts_slowly = kVectorBytes == 16 && rows % kLanes<T> != 0;  // no masked loads there
    return (rows * 2 <= kLanes<T> || (cuts_slowly && rows <= 16)) && k >= 32 * rows;
  }
  return rows <= 16 && length * k * static_cast<int64_t>(sizeof(T)) >= (256 << 10);
}

/// g of few rows of C.
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

/// g of few columns of C.
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

/// Few rows by the transpose of a large matrix, as the transpose of that matrix by few columns: the large one is read
/// row by row then, not turned.
template <class T>
void multiply_turned(const Product<T>& g, Parallel& parallel) {
  Scratch scratch(g.n * g.m * sizeof(T));
  T* const turned = scratch.as<T>();
  multiply<T>({g.n, g.m, g.k, g.b, g.ldb, false, g.a, g.lda, true, turned, g.m, {}}, parallel);
  pack_across([&](int j) { return turned + j * g.m; }, static_cast<int>(g.n), g.ldc, g.m, g.c);
}

template <class T>
void multiply(const Product<T>& g, Parallel& parallel) {
  if (g.m == 0 || g.n == 0) return;
  if (is_few<T>(g.m, g.n, g.k, g.transpose_b)) return multiply_few_rows(g, parallel);
  if (is_few<T>(g.n, g.m, g.k, !g.transpose_a)) return multiply_few_columns(g, parallel);
  const bool plain = !g.end.accumulate && g.end.bias == nullptr && !g.end.relu;
  if (plain && !g.transpose_a && g.transpose_b && g.m <= 256 && g.m * 4 <= g.n) return multiply_turned(g, parallel);
  // Rows of A are read where they are, unless their distance would make them evict each other from L1 and they are
  // used often.
  const bool direct_a = g.n <= 2 * kTileColumns<T> || (!g.transpose_a && g.lda * sizeof(T) % 1024 != 0);
  const bool direct_b = !g.transpose_b && (g.m <= 2 * kTileRows || g.k * g.n * sizeof(T) <= 8192);
  const MatrixA<T> a{g.a, g.lda, g.transpose_a, direct_a};
  const MatrixB<T> b{g.b, g.ldb, g.transpose_b, direct_b};
  if (g.m * g.n * g.k <= 40 * 40 * 40) {
    multiply<T>(0, g.m, 0, g.n, g.k, a, b, g.c, g.ldc, g.end);
    return;
  }
  split_output<T>(g.m, g.n, g.k, parallel, [&](int64_t m0, int64_t m1, int64_t n0, int64_t n1) {
    const T* bias = g.end.bias != nullptr ? g.end.bias + n0 : nullptr;
    multiply<T>(m0, m1, n0, n1, g.k, a, b, g.c + m0 * g.ldc + n0, g.ldc, {g.end.accumulate, bias, g.end.relu});
  });
}

}  // namespace tinytf::kernels::TINYTF_ISA
