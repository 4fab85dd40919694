#pragma once

#include <atomic>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/read_once.h"
#include "kernels/gather.h"

namespace tinytf::kernels::TINYTF_ISA {

/// Calls f with the index array as const int32_t* or const int64_t*.
template <class F>
static inline auto with_indices(const Indices& indices, const F& f) {
  if (indices.type == DType::kInt32) return f(static_cast<const int32_t*>(indices.data));
  return f(static_cast<const int64_t*>(indices.data));
}

/// Distance in rows at which to prefetch rows whose index is known, to hide the latency of memory.
inline constexpr int64_t kPrefetchRows = 8;

/// Prefetches row `row` of `limit` rows; no-op if there is no such row.
template <int kToWrite>
static inline void prefetch_row(const char* rows, int64_t limit, int64_t row_bytes, int64_t row) {
  if (static_cast<uint64_t>(row) < static_cast<uint64_t>(limit)) __builtin_prefetch(rows + row * row_bytes, kToWrite);
}

/// See GatherTable::check.
int64_t check_indices(const Indices& indices, int64_t limit, Parallel& parallel);

inline constexpr double kCheckCost = 0.4;  // Nanoseconds per index.

/// The lowest position that any thread reports.
class FirstBad {
 public:
  void report(int64_t position) {
    int64_t known = position_.load();
    while (position < known && !position_.compare_exchange_weak(known, position)) {
    }
  }
  /// kAllInRange if none was reported.
  int64_t get() const { return position_ == kNone ? kAllInRange : position_.load(); }

 private:
  static constexpr int64_t kNone = INT64_MAX;
  std::atomic<int64_t> position_{kNone};
};

template <class T>
inline constexpr bool kIsShort = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
template <class T>
struct IsComplex : std::false_type {};
template <class T>
struct IsComplex<std::complex<T>> : std::true_type {};

// Operators on stored values: half and bfloat16 are computed as float, integers as unsigned so that they wrap.

struct Add {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (kIsShort<T>) {
      return T(float(a) + float(b));
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
    } else {
      return a + b;
    }
  }
};

struct Sub {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (kIsShort<T>) {
      return T(float(a) - float(b));
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
    } else {
      return a - b;
    }
  }
};

struct Mul {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (kIsShort<T>) {
      return T(float(a) * float(b));
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    } else {
      return a * b;
    }
  }
};

struct Div {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (kIsShort<T>) {
      return T(float(a) / float(b));
    } else if constexpr (std::is_integral_v<T>) {
      if (b == 0) return 0;
      if (std::is_signed_v<T> && b == static_cast<T>(-1)) return Sub::apply(T(0), a);
      return static_cast<T>(a / b);
    } else {
      return a / b;
    }
  }
};

/// A NaN in the row is kept and a NaN in the update ignored, since comparisons with NaN are false.
struct Min {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (kIsShort<T>) {
      return float(b) < float(a) ? b : a;
    } else {
      return b < a ? b : a;
    }
  }
};

struct Max {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (kIsShort<T>) {
      return float(a) < float(b) ? b : a;
    } else {
      return a < b ? b : a;
    }
  }
};

template <class T>
static inline T lowest_value() {
  if constexpr (std::is_same_v<T, Half>) {
    return T(-65504.0f);
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    T value;
    value.bits = 0xFF7F;
    return value;
  } else {
    return std::numeric_limits<T>::lowest();
  }
}

template <class T>
static inline T greatest_value() {
  if constexpr (kIsShort<T>) {
    T value = lowest_value<T>();
    value.bits = static_cast<uint16_t>(value.bits & 0x7FFF);
    return value;
  } else {
    return std::numeric_limits<T>::max();
  }
}

/// Estimated nanoseconds for a row of `width` elements that take `cost` each.
inline double row_cost(double cost, int64_t width) { return 1.0 + cost * static_cast<double>(width); }

/// Splits a target [limit, inner] that `count` rows go to: by columns if rows are long, else by rows, into at most as
/// many ranges as there are threads, since each range reads all indices. Calls body(row begin, row end, column begin,
/// end), which may take long: its own loops should use `parallel` too.
template <class Body>
static inline void cut_target(int64_t limit, int64_t inner, int64_t count, double cost, Parallel& parallel,
                              const Body& body) {
  const double total = static_cast<double>(count) * row_cost(cost, inner);
  if (inner >= 1024) {
    parallel.run(inner, 256, total / static_cast<double>(inner),
                 [&](int64_t begin, int64_t end) { body(0, limit, begin, end); });
    return;
  }
  const int64_t block = (limit + parallel.threads() - 1) / parallel.threads();
  parallel.run(limit, block > 0 ? block : 1, total / static_cast<double>(limit + 1),
               [&](int64_t begin, int64_t end) { body(begin, end, 0, inner); });
}

/// to[i] = op(to[i], from[i]) for i < n, or op(to[i], *from) with `scalar`. Compiled once per operator and type; the
/// loops over rows and indices are shared by all of them.
using RowFn = void (*)(void* to, const void* from, int64_t n, bool scalar);

template <class T, class Op>
void combine_row(void* to, const void* from, int64_t n, bool scalar) {
  T* __restrict target = static_cast<T*>(to);
  const T* __restrict source = static_cast<const T*>(from);
  if (scalar) {
    const T value = *source;
    for (int64_t i = 0; i < n; ++i) target[i] = Op::apply(target[i], value);
  } else {
    for (int64_t i = 0; i < n; ++i) target[i] = Op::apply(target[i], source[i]);
  }
}

/// The type whose wrapping sums and products have the same bits as T's.
template <class T, bool = std::is_integral_v<T>>
struct Wrapping {
  using type = std::make_unsigned_t<T>;
};
template <class T>
struct Wrapping<T, false> {
  using type = T;
};

void fill_scatters(GatherTable& table);
void fill_segments(GatherTable& table);
void fill_sparse_products(GatherTable& table);
void fill_top_k(GatherTable& table);
void fill_where(GatherTable& table);

}  // namespace tinytf::kernels::TINYTF_ISA
