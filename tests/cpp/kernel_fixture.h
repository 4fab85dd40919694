#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "base/dtype.h"
#include "base/parallel.h"
#include "kernels/table.h"

// Helpers for kernel tests: every instruction-set level in turn, random values of every type, wide reference
// arithmetic.
namespace tinytf::kernels {

/// Calls body once per level that this machine supports, with that level active.
template <class Body>
void for_each_isa(Body body) {
  const std::string before = isa();
  for (const char* level : {"generic", "avx2", "avx512"}) {
    if (set_isa(level)) body();
  }
  set_isa(before.c_str());
}

/// Pretends to have several threads, and splits ranges unevenly and in reverse order, on the calling thread.
class UnevenParallel final : public Parallel {
 public:
  explicit UnevenParallel(int threads = 3) : threads_(threads) {}
  int threads() const override { return threads_; }
  void run(int64_t n, int64_t block, double, FunctionRef<void(int64_t, int64_t)> body) override {
    for (int64_t blocks = (n + block - 1) / block, width = 1; blocks > 0; blocks -= width, width = width % 5 + 2) {
      const int64_t first = std::max<int64_t>(0, blocks - width);
      body(first * block, std::min(n, blocks * block));
    }
  }
  void run_in_order(int64_t n, double, FunctionRef<void(int64_t, int64_t)> body) override {
    for (int64_t begin = 0, width = 1; begin < n; begin += width, width = width % 5 + 2) {
      body(begin, std::min(n, begin + width));
    }
  }

 private:
  int threads_;
};

template <class T>
inline constexpr bool is_complex_v = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

/// The type for reference sums: double, complex double, or unsigned integers, which wrap.
template <class T, class = void>
struct WideOf {
  using type = double;
};
template <class T>
struct WideOf<T, std::enable_if_t<std::is_integral_v<T>>> {
  using type = std::make_unsigned_t<T>;
};
template <class T>
struct WideOf<std::complex<T>> {
  using type = std::complex<double>;
};
template <class T>
using Wide = typename WideOf<T>::type;

template <class T>
Wide<T> wide(T value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return static_cast<float>(value);
  } else {
    return static_cast<Wide<T>>(value);
  }
}

/// Values in [-1, 1], or arbitrary integers.
template <class T>
std::vector<T> random_values(int64_t n, uint64_t seed) {
  std::mt19937_64 bits(seed);
  std::uniform_real_distribution<float> real(-1.f, 1.f);
  std::vector<T> values(n);
  for (T& value : values) {
    if constexpr (is_complex_v<T>) {
      value = T(real(bits), real(bits));
    } else if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(bits());
    } else {
      value = static_cast<T>(real(bits));
    }
  }
  return values;
}

/// The distance of a result from its reference: relative if the reference is large.
template <class T>
double distance(T result, Wide<T> reference) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<Wide<T>>(result) == reference ? 0 : 1;
  } else {
    return std::abs(wide(result) - reference) / std::max(1.0, std::abs(reference));
  }
}

/// The allowed distance after adding `terms` products.
template <class T>
double tolerance(int64_t terms) {
  if constexpr (std::is_integral_v<T>) return 0;
  const bool is_double = std::is_same_v<T, double> || std::is_same_v<T, std::complex<double>>;
  const double rounding = std::is_same_v<T, Half> ? 1e-3 : std::is_same_v<T, BFloat16> ? 8e-3 : 0;
  return rounding + (is_double ? 1e-15 : 4e-7) * static_cast<double>(terms + 4);
}

}  // namespace tinytf::kernels
