#pragma once

#include "kernels/isa/elementwise_half.h"
#include "kernels/isa/elementwise_math.h"
#include "kernels/isa/elementwise_types.h"

// Row operations of the softmax family: the maximum, exponentials of the distances to it, and their sum. Rows are
// processed in blocks of numbers (float for half and bfloat16), blocks in tiles of fixed length, so that a row of ten
// classes is one vector operation instead of ten scalar ones.

namespace tinytf::kernels::TINYTF_ISA {

inline constexpr int64_t kTile = 16;

inline double exp(double x) { return __builtin_exp(x); }
inline double log(double x) { return __builtin_log(x); }

template <class T>
using Number = std::conditional_t<kViaFloat<T>, float, T>;

/// A row's elements [begin, begin + n) as numbers, n <= kFloatBlock: in place if possible, else in `buffer`.
template <class T>
const Number<T>* numbers(const T* row, int64_t stride, int64_t begin, int64_t n, Number<T>* buffer) {
  if constexpr (kViaFloat<T>) {
    load_floats(row + begin * stride, buffer, stride == 0 ? 1 : n);
  } else {
    if (stride != 0) return row + begin;
    buffer[0] = row[0];
  }
  if (stride == 0) {
    for (int64_t i = 1; i < n; ++i) buffer[i] = buffer[0];
  }
  return buffer;
}

/// Calls body(numbers, begin, n) on the blocks of a row.
template <class T, class Body>
void for_blocks(const T* row, int64_t stride, int64_t cols, Body body) {
  if (!kViaFloat<T> && stride == 1) {
    Number<T> none;
    body(numbers(row, 1, 0, cols, &none), int64_t{0}, cols);
    return;
  }
  alignas(64) Number<T> buffer[kFloatBlock];
  for (int64_t begin = 0; begin < cols; begin += kFloatBlock) {
    const int64_t n = cols - begin < kFloatBlock ? cols - begin : kFloatBlock;
    body(numbers(row, stride, begin, n, buffer), begin, n);
  }
}

/// Copies n < kTile numbers to a tile and fills the rest with -inf, whose exponential is 0.
template <class N>
void pad(const N* x, int64_t n, N* tile) {
  for (int64_t j = 0; j < kTile; ++j) tile[j] = -static_cast<N>(__builtin_inff());
  for (int64_t j = 0; j < n; ++j) tile[j] = x[j];
}

/// lanes = max(lanes, x) by position, for kSide lanes: several vectors, as one would wait for itself. Ignores NaNs.
inline constexpr int64_t kSide = 4 * kTile;
template <class N>
void add_max(const N* x, int64_t n, N* lanes) {
  int64_t i = 0;
  for (; i + kSide <= n; i += kSide) {
    for (int64_t j = 0; j < kSide; ++j) lanes[j] = x[i + j] > lanes[j] ? x[i + j] : lanes[j];
  }
  N tile[kTile];
  for (; i < n; i += kTile) {
    const N* at = x + i;
    if (n - i < kTile) {
      pad(at, n - i, tile);
      at = tile;
    }
    for (int64_t j = 0; j < kTile; ++j) lanes[j] = at[j] > lanes[j] ? at[j] : lanes[j];
  }
}

template <class T>
Number<T> max_of_row(const T* row, int64_t stride, int64_t cols) {
  using N = Number<T>;
  alignas(64) N lanes[kSide];
  for (int64_t j = 0; j < kSide; ++j) lanes[j] = -static_cast<N>(__builtin_inff());
  for_blocks(row, stride, cols, [&](const N* x, int64_t, int64_t n) { add_max(x, n, lanes); });
  for (int64_t width = kSide / 2; width > 0; width /= 2) {
    for (int64_t j = 0; j < width; ++j) lanes[j] = lanes[j + width] > lanes[j] ? lanes[j + width] : lanes[j];
  }
  return lanes[0];
}

/// lanes += e^(x - shift); also stores the exponentials to `out` if kStore.
template <bool kStore, class N>
void add_exp(const N* x, int64_t n, N shift, [[maybe_unused]] N* out, N* lanes) {
  int64_t i = 0;
  for (; i + kTile <= n; i += kTile) {
    TINYTF_IVDEP
    for (int64_t j = 0; j < kTile; ++j) {
      const N e = exp(x[i + j] - shift);
      lanes[j] += e;
      if constexpr (kStore) out[i + j] = e;
    }
  }
  if (i == n) return;
  alignas(64) N tile[kTile];
  pad(x + i, n - i, tile);
  for (int64_t j = 0; j < kTile; ++j) {
    tile[j] = exp(tile[j] - shift);
    lanes[j] += tile[j];
  }
  if constexpr (kStore) {
    for (int64_t j = 0; j < n - i; ++j) out[i + j] = tile[j];
  }
}

template <class N>
N sum_of_lanes(N* lanes) {
  for (int64_t width = kTile / 2; width > 0; width /= 2) {
    for (int64_t j = 0; j < width; ++j) lanes[j] += lanes[j + width];
  }
  return lanes[0];
}

/// Sum of e^(x - shift) over a row.
template <class T>
Number<T> exp_sum_of_row(const T* row, int64_t stride, int64_t cols, Number<T> shift) {
  using N = Number<T>;
  alignas(64) N lanes[kTile] = {};
  for_blocks(row, stride, cols,
             [&](const N* x, int64_t, int64_t n) { add_exp<false>(x, n, shift, static_cast<N*>(nullptr), lanes); });
  return sum_of_lanes(lanes);
}

/// Writes f(x) for the numbers x of a row.
template <class T, class F>
void map_row(const T* row, int64_t stride, int64_t cols, T* out, F f) {
  using N = Number<T>;
  for_blocks(row, stride, cols, [&](const N* x, int64_t begin, int64_t n) {
    if constexpr (kViaFloat<T>) {
      alignas(64) float results[kFloatBlock];
      for (int64_t j = 0; j < n; ++j) results[j] = f(x[j]);
      store_floats(results, out + begin, n);
    } else {
      N* y = out + begin;
      TINYTF_IVDEP
      for (int64_t j = 0; j < n; ++j) y[j] = f(x[j]);
    }
  });
}

/// e^(x - shift) / sum over a contiguous row; `out` may be `row`. Returns the sum.
template <class T>
Number<T> softmax_of_row(const T* row, int64_t cols, Number<T> shift, T* out) {
  using N = Number<T>;
  if constexpr (kViaFloat<T>) {  // Exponentials are not stored, since that would round them twice.
    const N sum = exp_sum_of_row(row, 1, cols, shift);
    map_row(row, 1, cols, out, [=](N x) { return exp(x - shift) / sum; });
    return sum;
  } else {
    alignas(64) N lanes[kTile] = {};
    add_exp<true>(row, cols, shift, out, lanes);
    const N sum = sum_of_lanes(lanes);
    const N scale = 1 / sum;
    for (int64_t j = 0; j < cols; ++j) out[j] *= scale;
    return sum;
  }
}

}  // namespace tinytf::kernels::TINYTF_ISA
