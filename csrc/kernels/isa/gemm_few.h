#pragma once

#include <algorithm>
#include <cstdint>

#include "base/parallel.h"
#include "kernels/isa/compiler.h"
#include "kernels/isa/gemm_pack.h"
#include "kernels/isa/gemm_tile.h"

// Products with few rows: bound by reading the matrix once, so it is not packed. A vector is one row. Few columns are
// few rows of the transposed product.
namespace tinytf::kernels::TINYTF_ISA {

/// y[r, j] = sum over p of x[r, p] * matrix[p, j] for r < rows, j < length, where element (r, j) of y is at
/// y[r * y_row + j * y_step], of bias at bias[r * bias_row + j * bias_step].
template <class T>
struct FewRows {
  int64_t rows;
  int64_t length;
  int64_t k;
  const T* x;  ///< Row r begins at x + r * x_row; its elements are contiguous.
  int64_t x_row;
  const T* matrix;
  int64_t ld;
  bool transposed;  ///< The matrix is stored as [length, k], else as [k, length].
  T* y;
  int64_t y_row;
  int64_t y_step;
  TileEnd<T> end;
  int64_t bias_row;
  int64_t bias_step;

  /// Stores elements (r, j) … (r, j + n), given their sums.
  void store(int64_t r, int64_t j, int64_t n, const T* sums) const {
    T* const to = y + r * y_row + j * y_step;
    const T* const bias = end.bias == nullptr ? nullptr : end.bias + r * bias_row + j * bias_step;
    if (y_step == 1 && !end.accumulate && bias == nullptr && !end.relu) return copy_values(sums, n, to);
    for (int64_t i = 0; i < n; ++i) {
      T sum = sums[i];
      if (end.accumulate) sum += to[i * y_step];
      if (bias != nullptr) sum += bias[i * bias_step];
      if (end.relu && sum < T()) sum = T();
      to[i * y_step] = sum;
    }
  }
};

/// Computes the sum of each vector's lanes. `Count` divides the number of lanes in 16 bytes, or is 1.
template <int Count, class T>
inline void sum_lanes(const Vector<T>* vectors, T* sums) {
  typedef T Quad __attribute__((vector_size(16)));
  constexpr int kGroup = 16 / sizeof(T), kQuads = kVectorBytes / 16;
  Quad quads[kGroup] = {};
#pragma GCC unroll 4
  for (int i = 0; i < Count; ++i) {
    Quad parts[kQuads];
    std::memcpy(parts, &vectors[i], sizeof parts);
#pragma GCC unroll 4
    for (int width = kQuads / 2; width > 0; width /= 2) {
#pragma GCC unroll 4
      for (int q = 0; q < width; ++q) parts[q] += parts[q + width];
    }
    quads[i] = parts[0];
  }
  Quad total;
  if constexpr (kGroup == 4) {
    const Quad sum01 = shuffle<0, 4, 1, 5>(quads[0], quads[1]) + shuffle<2, 6, 3, 7>(quads[0], quads[1]);
    const Quad sum23 = shuffle<0, 4, 1, 5>(quads[2], quads[3]) + shuffle<2, 6, 3, 7>(quads[2], quads[3]);
    total = shuffle<0, 1, 4, 5>(sum01, sum23) + shuffle<2, 3, 6, 7>(sum01, sum23);
  } else {
    total = shuffle<0, 2>(quads[0], quads[1]) + shuffle<1, 3>(quads[0], quads[1]);
  }
  std::memcpy(sums, &total, Count * sizeof(T));
}

/// Computes elements [r, r + Rows) by [j, j + Columns) of y for a transposed matrix: dot products of stored rows.
template <int Rows, int Columns, class T>
inline void dot_tile(const FewRows<T>& f, int64_t r0, int64_t j0) {
  constexpr int kWidth = kLanes<T>;
  constexpr int kSums = Rows * Columns >= 8 ? 1 : Rows * Columns >= 4 ? 2 : 4;  // Enough to hide an addition's latency.
  Vector<T> sum[Rows][Columns][kSums] = {};
  const T *row[Rows], *column[Columns];
  for (int r = 0; r < Rows; ++r) row[r] = f.x + (r0 + r) * f.x_row;
  for (int j = 0; j < Columns; ++j) column[j] = f.matrix + (j0 + j) * f.ld;
  int64_t p = 0;
  for (; p + kSums * kWidth <= f.k; p += kSums * kWidth) {
#pragma GCC unroll 4
    for (int s = 0; s < kSums; ++s) {
      Vector<T> right[Columns];
#pragma GCC unroll 4
      for (int j = 0; j < Columns; ++j) right[j] = load(column[j] + p + s * kWidth);
#pragma GCC unroll 4
      for (int r = 0; r < Rows; ++r) {
        const Vector<T> left = load(row[r] + p + s * kWidth);
#pragma GCC unroll 4
        for (int j = 0; j < Columns; ++j) sum[r][j][s] += left * right[j];
      }
    }
  }
  for (; p < f.k; p += kWidth) {
    const Partial<T> partial(static_cast<int>(std::min<int64_t>(kWidth, f.k - p)));
#pragma GCC unroll 4
    for (int r = 0; r < Rows; ++r) {
      const Vector<T> left = partial.load(row[r] + p);
#pragma GCC unroll 4
      for (int j = 0; j < Columns; ++j) sum[r][j][0] += left * partial.load(column[j] + p);
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < Rows; ++r) {
    constexpr int kGroup = std::min<int>(Columns, 16 / sizeof(T));
    for (int j = 0; j < Columns; j += kGroup) {
      Vector<T> total[kGroup];
#pragma GCC unroll 4
      for (int i = 0; i < kGroup; ++i) {
        total[i] = sum[r][j + i][0];
#pragma GCC unroll 4
        for (int s = 1; s < kSums; ++s) total[i] += sum[r][j + i][s];
      }
      T sums[kGroup];
      sum_lanes<kGroup>(total, sums);
      f.store(r0 + r, j0 + j, kGroup, sums);
    }
  }
}

/// Rows of x, and stored rows of the matrix, that one pass keeps in registers.
inline constexpr int kDotRows = kVectorBytes > 32 ? 4 : 2;
inline constexpr int kDotColumns = 4;

template <int Columns, class T>
inline void dot_columns(const FewRows<T>& f, int64_t j) {
  int64_t r = 0;
  for (; r + kDotRows <= f.rows; r += kDotRows) dot_tile<kDotRows, Columns>(f, r, j);
  if constexpr (kDotRows > 2) {
    if (r + 2 <= f.rows) dot_tile<2, Columns>(f, r, j), r += 2;
  }
  if (r < f.rows) dot_tile<1, Columns>(f, r, j);
}

/// Computes columns [begin, end) of y. `begin` must be a multiple of kDotColumns; `end` too, or f.length.
template <class T>
void dot_all(const FewRows<T>& f, int64_t begin, int64_t end) {
  int64_t j = begin;
  for (; j + kDotColumns <= end; j += kDotColumns) dot_columns<kDotColumns>(f, j);
  for (; j < end; ++j) dot_columns<1>(f, j);
}

/// Rows of the matrix that are added up in one pass, and vectors of each.
inline constexpr int kSumDepth = kVectorBytes > 32 ? 8 : 4;
inline constexpr int kSumVectors = 2;

/// sums[r, j] += sum over q < Depth of x[r, q] * from[q * ld + j] for j < Vectors vectors. If Cut, the last vector has
/// `lanes` valid lanes.
template <int Depth, int Vectors, bool Cut, class T>
inline void add_block(const T* from, int64_t ld, const T* x, int64_t x_row, int64_t rows, int lanes, T* sums,
                      int64_t sums_row) {
  constexpr int kWidth = kLanes<T>;
  const Partial<T> partial(Cut ? lanes : kWidth);
  Vector<T> right[Depth][Vectors];
#pragma GCC unroll 8
  for (int q = 0; q < Depth; ++q) {
#pragma GCC unroll 2
    for (int v = 0; v < Vectors; ++v) {
      const T* const at = from + q * ld + v * kWidth;
      right[q][v] = Cut && v == Vectors - 1 ? partial.load(at) : load(at);
    }
  }
  for (int64_t r = 0; r < rows; ++r) {
    const T* const factors = x + r * x_row;
    T* const to = sums + r * sums_row;
    Vector<T> sum[Vectors];
#pragma GCC unroll 2
    for (int v = 0; v < Vectors; ++v) sum[v] = load(to + v * kWidth);
#pragma GCC unroll 8
    for (int q = 0; q < Depth; ++q) {
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) sum[v] += factors[q] * right[q][v];
    }
#pragma GCC unroll 2
    for (int v = 0; v < Vectors; ++v) store(to + v * kWidth, sum[v]);
  }
}

/// add_block() for one row and all columns: its factors stay in registers.
template <int Depth, class T>
inline void add_row(const T* from, int64_t ld, const T* x, int columns, T* sums) {
  constexpr int kWidth = kLanes<T>;
  T factors[Depth];
  for (int q = 0; q < Depth; ++q) factors[q] = x[q];
  int j = 0;
  for (; j + kWidth <= columns; j += kWidth) {
    Vector<T> sum = load(sums + j);
#pragma GCC unroll 8
    for (int q = 0; q < Depth; ++q) sum += factors[q] * load(from + q * ld + j);
    store(sums + j, sum);
  }
  if (j < columns) add_block<Depth, 1, true>(from + j, ld, x, 0, 1, columns - j, sums + j, 0);
}

template <int Depth, class T>
inline void add_band(const T* from, int64_t ld, const T* x, int64_t x_row, int64_t rows, int columns, T* sums,
                     int64_t sums_row) {
  constexpr int kWidth = kLanes<T>, kStep = kSumVectors * kWidth;
  if (rows == 1) return add_row<Depth>(from, ld, x, columns, sums);
  int j = 0;
  for (; j + kStep <= columns; j += kStep) {
    add_block<Depth, kSumVectors, false>(from + j, ld, x, x_row, rows, kWidth, sums + j, sums_row);
  }
  for (; j + kWidth <= columns; j += kWidth) {
    add_block<Depth, 1, false>(from + j, ld, x, x_row, rows, kWidth, sums + j, sums_row);
  }
  if (j < columns) add_block<Depth, 1, true>(from + j, ld, x, x_row, rows, columns - j, sums + j, sums_row);
}

/// Computes columns [begin, end) of y for a matrix that is not transposed: sums of its rows, which stay in L1.
template <class T>
void sum_all(const FewRows<T>& f, int64_t begin, int64_t end) {
  constexpr int kWidth = kLanes<T>;
  constexpr int64_t kSums = (16 << 10) / sizeof(T), kMostColumns = 1024;
  alignas(64) T sums[kSums];
  const int64_t block = std::clamp<int64_t>(kSums / f.rows / (4 * kWidth) * (4 * kWidth), 4 * kWidth, kMostColumns);
  for (int64_t j0 = begin; j0 < end; j0 += block) {
    const int columns = static_cast<int>(std::min(block, end - j0));
    const int64_t sums_row = (columns + kWidth - 1) / kWidth * kWidth;
    std::fill_n(sums, f.rows * sums_row, T());
    int64_t p = 0;
    for (; p + kSumDepth <= f.k; p += kSumDepth) {
      add_band<kSumDepth>(f.matrix + p * f.ld + j0, f.ld, f.x + p, f.x_row, f.rows, columns, sums, sums_row);
    }
    for (; p < f.k; ++p) {
      add_band<1>(f.matrix + p * f.ld + j0, f.ld, f.x + p, f.x_row, f.rows, columns, sums, sums_row);
    }
    for (int64_t r = 0; r < f.rows; ++r) f.store(r, j0, columns, sums + r * sums_row);
  }
}

/// Computes all of y. Where ranges begin does not change results: each element sums its products in one order.
template <class T>
void multiply_few(const FewRows<T>& f, Parallel& parallel) {
  const double cost = static_cast<double>(f.k) * sizeof(T) / 16 * (1 + 0.15 * static_cast<double>(f.rows));
  if (f.transposed) {
    parallel.run(f.length, kDotColumns, cost, [&](int64_t begin, int64_t end) { dot_all(f, begin, end); });
  } else {
    parallel.run(f.length, 4 * kTileColumns<T>, cost, [&](int64_t begin, int64_t end) { sum_all(f, begin, end); });
  }
}

}  // namespace tinytf::kernels::TINYTF_ISA
