#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/isa/gemm_tile.h"

// Matrix × vector: bound by reading the matrix once, so nothing is packed.
namespace tinytf::kernels::TINYTF_ISA {

/// What a sum becomes when it is stored at y[i * y_stride].
template <class T>
struct VectorEnd {
  T* y;
  int64_t y_stride;
  bool accumulate;
  const T* bias;
  int64_t bias_stride;
  bool relu;

  void store(int64_t i, T sum) const {
    T& to = y[i * y_stride];
    if (accumulate) sum += to;
    if (bias != nullptr) sum += bias[i * bias_stride];
    if (relu && sum < T()) sum = T();
    to = sum;
  }
};

template <class T>
inline T sum_lanes(Vector<T> vector) {
  T lanes[kLanes<T>];
  std::memcpy(lanes, &vector, sizeof vector);
  for (int width = kLanes<T> / 2; width > 0; width /= 2) {
    for (int i = 0; i < width; ++i) lanes[i] += lanes[i + width];
  }
  return lanes[0];
}

/// y[i] = sum over p of matrix[i * ld + p] * x[p], for `Rows` rows from i on.
template <int Rows, class T>
inline void dot_rows(const T* matrix, int64_t ld, int64_t length, const T* x, int64_t i, const VectorEnd<T>& end) {
  constexpr int kWidth = kLanes<T>;
  constexpr int kSums = Rows == 1 ? 4 : 2;  // independent sums per row hide the latency of additions
  Vector<T> sum[Rows][kSums] = {};
  const T* row[Rows];
  for (int r = 0; r < Rows; ++r) row[r] = matrix + (i + r) * ld;
  int64_t p = 0;
  for (; p + kSums * kWidth <= length; p += kSums * kWidth) {
#pragma GCC unroll 4
    for (int s = 0; s < kSums; ++s) {
      const Vector<T> right = load(x + p + s * kWidth);
#pragma GCC unroll 4
      for (int r = 0; r < Rows; ++r) sum[r][s] += load(row[r] + p + s * kWidth) * right;
    }
  }
  for (; p < length; p += kWidth) {
    const Partial<T> partial(static_cast<int>(std::min<int64_t>(kWidth, length - p)));
    const Vector<T> right = partial.load(x + p);
    for (int r = 0; r < Rows; ++r) sum[r][0] += partial.load(row[r] + p) * right;
  }
  for (int r = 0; r < Rows; ++r) {
    Vector<T> total = sum[r][0];
    for (int s = 1; s < kSums; ++s) total += sum[r][s];
    end.store(i + r, sum_lanes<T>(total));
  }
}

template <class T>
void dot_rows(const T* matrix, int64_t ld, int64_t length, const T* x, int64_t begin, int64_t end_row,
              const VectorEnd<T>& end) {
  // Groups of four start at multiples of four, so that a row is summed the same way wherever ranges are cut.
  for (int64_t i = begin; i < end_row;) {
    if (i % 4 == 0 && i + 4 <= end_row) {
      dot_rows<4>(matrix, ld, length, x, i, end);
      i += 4;
    } else {
      dot_rows<1>(matrix, ld, length, x, i++, end);
    }
  }
}

/// sums[j] += sum over r < Rows of x[r * x_stride] * from[r * ld + j], for j < columns. `sums` has room for whole
/// vectors.
template <int Rows, class T>
inline void add_rows(const T* from, int64_t ld, const T* x, int64_t x_stride, int columns, T* sums) {
  constexpr int kWidth = kLanes<T>;
  T factor[Rows];
  for (int r = 0; r < Rows; ++r) factor[r] = x[r * x_stride];
  int j = 0;
  for (; j + kWidth <= columns; j += kWidth) {
    Vector<T> sum = load(sums + j);
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r) sum += factor[r] * load(from + r * ld + j);
    store(sums + j, sum);
  }
  if (j == columns) return;
  const Partial<T> partial(columns - j);
  Vector<T> sum = load(sums + j);
  for (int r = 0; r < Rows; ++r) sum += factor[r] * partial.load(from + r * ld + j);
  store(sums + j, sum);
}

/// y[j] = sum over p of x[p * x_stride] * matrix[p * ld + j], for columns begin … end_column.
template <class T>
void sum_rows(const T* matrix, int64_t ld, int64_t length, const T* x, int64_t x_stride, int64_t begin,
              int64_t end_column, const VectorEnd<T>& end) {
  constexpr int kWidth = kLanes<T>;
  constexpr int kBlock = 1024;  // columns whose sums stay in L1
  constexpr int kRows = 8;
  for (int64_t j0 = begin; j0 < end_column; j0 += kBlock) {
    const int columns = static_cast<int>(std::min<int64_t>(kBlock, end_column - j0));
    alignas(64) T sums[kBlock];
    std::fill_n(sums, (columns + kWidth - 1) / kWidth * kWidth, T());
    int64_t p = 0;
    for (; p + kRows <= length; p += kRows) {
      add_rows<kRows>(matrix + p * ld + j0, ld, x + p * x_stride, x_stride, columns, sums);
    }
    for (; p < length; ++p) add_rows<1>(matrix + p * ld + j0, ld, x + p * x_stride, x_stride, columns, sums);
    for (int j = 0; j < columns; ++j) end.store(j0 + j, sums[j]);
  }
}

}  // namespace tinytf::kernels::TINYTF_ISA
