#pragma once

#include "kernels/gemm.h"
#include "kernels/isa/gemm_split.h"
#include "kernels/isa/gemm_vector.h"

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

/// One row or one column of C.
template <class T>
void multiply_vector(const Product<T>& g, Parallel& parallel) {
  const bool one_row = g.m == 1;
  const T* matrix = one_row ? g.b : g.a;
  const int64_t ld = one_row ? g.ldb : g.lda;
  const int64_t length = one_row ? g.n : g.m;
  const bool by_rows = one_row ? g.transpose_b : !g.transpose_a;  // outputs are dot products with stored rows
  const T* x = one_row ? g.a : g.b;
  const int64_t x_stride = one_row ? (g.transpose_a ? g.lda : 1) : (g.transpose_b ? 1 : g.ldb);
  const VectorEnd<T> end{g.c, one_row ? 1 : g.ldc, g.end.accumulate, g.end.bias, one_row ? 1 : 0, g.end.relu};

  const double cost = static_cast<double>(g.k) * sizeof(T) / 16;  // bound by memory
  if (!by_rows) {
    parallel.run(length, 4 * kTileColumns<T>, cost,
                 [&](int64_t first, int64_t last) { sum_rows(matrix, ld, g.k, x, x_stride, first, last, end); });
    return;
  }
  Scratch scratch(x_stride == 1 ? 0 : g.k * sizeof(T));
  if (x_stride != 1) {
    T* dense = scratch.as<T>();
    for (int64_t p = 0; p < g.k; ++p) dense[p] = x[p * x_stride];
    x = dense;
  }
  parallel.run(length, 4, cost, [&](int64_t first, int64_t last) { dot_rows(matrix, ld, g.k, x, first, last, end); });
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
  if (g.m == 1 || g.n == 1) return multiply_vector(g, parallel);
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
