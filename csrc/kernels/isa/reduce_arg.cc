// ArgMax and ArgMin.

#include "kernels/isa/reduce_fill.h"
#include "kernels/isa/reduce_loops.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

constexpr double kCost = 0.3;  // Nanoseconds per element.

template <bool kMax, class V>
bool better(V a, V b) {
  return kMax ? a > b : a < b;
}

void store(int64_t index, int64_t at, bool is_int64, void* out) {
  if (is_int64) {
    static_cast<int64_t*>(out)[at] = index;
  } else {
    static_cast<int32_t*>(out)[at] = static_cast<int32_t>(index);
  }
}

constexpr int64_t kSide = 64;

/// The best of `start` and of `blocks` blocks of kSide elements.
template <bool kMax, class T>
Number<T> best_of_blocks(const T* x, int64_t blocks, Number<T> start, Parallel& parallel) {
  using V = Number<T>;
  alignas(64) V lanes[kSide];
  for (int64_t j = 0; j < kSide; ++j) lanes[j] = start;
  parallel.run_in_order(blocks, kCost * kSide, [&](int64_t begin, int64_t end) {
    for (const T* block = x + begin * kSide; begin < end; ++begin, block += kSide) {
      TINYTF_IVDEP
      for (int64_t j = 0; j < kSide; ++j) {
        const V v = as_number(block[j]);
        lanes[j] = better<kMax>(v, lanes[j]) ? v : lanes[j];
      }
    }
  });
  V best = start;
  for (int64_t j = 0; j < kSide; ++j) best = better<kMax>(lanes[j], best) ? lanes[j] : best;
  return best;
}

/// Index of the first best element of a contiguous run: finds the best value, which vectorizes, then its position.
template <bool kMax, class T>
int64_t arg_of_run(const T* x, int64_t n, Parallel& parallel) {
  using V = Number<T>;
  int64_t first = 0;
  while (first < n && as_number(x[first]) != as_number(x[first])) ++first;  // Skips NaNs.
  if (first == n) return 0;
  V best = as_number(x[first]);
  int64_t i = first;
  if (const int64_t blocks = (n - first) / kSide; blocks > 0) {
    best = best_of_blocks<kMax>(x + first, blocks, best, parallel);
    i += blocks * kSide;
  }
  for (; i < n; ++i) {
    const V v = as_number(x[i]);
    best = better<kMax>(v, best) ? v : best;
  }
  while (as_number(x[first]) != best) ++first;
  return first;
}

/// Finds the best of each of `columns` columns in n rows with that stride.
template <bool kMax, class T>
void arg_of_columns(const T* x, int64_t n, int64_t stride, int64_t columns, int64_t* index, Parallel& parallel) {
  using V = Number<T>;
  constexpr int64_t kSide = 256;
  alignas(64) V best[kSide];
  for (int64_t j = 0; j < columns; ++j) {
    best[j] = as_number(x[j]);
    index[j] = 0;
  }
  parallel.run_in_order(n - 1, 2.0 + kCost * static_cast<double>(columns), [&](int64_t begin, int64_t end) {
    V* const values = best;
    int64_t* const at = index;
    const int64_t width = columns;
    for (int64_t i = begin + 1; i <= end; ++i) {
      const T* row = x + i * stride;
      TINYTF_IVDEP
      for (int64_t j = 0; j < width; ++j) {
        const V v = as_number(row[j]);
        const bool wins = better<kMax>(v, values[j]) | ((values[j] != values[j]) & (v == v));
        values[j] = wins ? v : values[j];
        at[j] = wins ? i : at[j];
      }
    }
  });
}

template <bool kMax, class T>
void arg_run(const void* x, int64_t begin, int64_t end, int64_t n, int64_t inner, bool is_int64, void* out,
             Parallel& parallel) {
  const auto* in = static_cast<const T*>(x);
  if (inner == 1) {
    for (int64_t o = begin; o < end; ++o) store(arg_of_run<kMax>(in + o * n, n, parallel), o, is_int64, out);
    return;
  }
  constexpr int64_t kSide = 256;
  int64_t index[kSide];
  for (int64_t o = begin; o < end; ++o) {
    for (int64_t first = 0; first < inner; first += kSide) {
      const int64_t columns = inner - first < kSide ? inner - first : kSide;
      arg_of_columns<kMax>(in + o * n * inner + first, n, inner, columns, index, parallel);
      for (int64_t j = 0; j < columns; ++j) store(index[j], o * inner + first + j, is_int64, out);
    }
  }
}

template <class... T>
void add(ReduceTable& table) {
  ((table.arg_max[static_cast<int>(dtype_of<T>)] = arg_run<true, T>), ...);
  ((table.arg_min[static_cast<int>(dtype_of<T>)] = arg_run<false, T>), ...);
}

}  // namespace

void fill_reduce_arg(ReduceTable& table) {
  add<BFloat16, Half, float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t>(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA
