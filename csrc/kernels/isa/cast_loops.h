#pragma once

#include "kernels/cast.h"
#include "kernels/isa/elementwise_half.h"
#include "kernels/isa/elementwise_types.h"

namespace tinytf::kernels::TINYTF_ISA {

template <class I>
inline constexpr I kLowest = static_cast<I>(I{1} << (sizeof(I) * 8 - 2)) * -2;

/// Truncation of a float; the lowest integer if it does not fit.
template <class I, class F>
I truncate_to(F x) {
  constexpr F kBound = -static_cast<F>(kLowest<I>);  // A power of two, so exact.
  return x >= -kBound && x < kBound ? static_cast<I>(x) : kLowest<I>;
}

/// Converts between arithmetic types; bool is uint8_t here.
template <class To, class From>
To convert(From x) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if constexpr (sizeof(To) <= 2 || std::is_same_v<To, int32_t>) {
      return static_cast<To>(truncate_to<int32_t>(x));
    } else if constexpr (std::is_same_v<To, uint64_t>) {
      constexpr From kHalf = 0x1p63;
      return x >= kHalf ? static_cast<uint64_t>(truncate_to<int64_t>(x - kHalf)) ^ (uint64_t{1} << 63)
                        : static_cast<uint64_t>(truncate_to<int64_t>(x));
    } else {
      return static_cast<To>(truncate_to<int64_t>(x));
    }
  } else {
    return static_cast<To>(x);
  }
}

/// `From` and `To` are dtypes' C++ types other than half, bfloat16 and complex.
template <class From, class To>
void cast_run(const void* x, void* y, int64_t n) {
  using F = Memory<From>;
  using T = Memory<To>;
  const auto* in = static_cast<const F*>(x);
  auto* out = static_cast<T*>(y);
  if constexpr (std::is_same_v<From, To>) {
    if (x != y) __builtin_memcpy(out, in, n * sizeof(T));
  } else {
    TINYTF_IVDEP
    for (int64_t i = 0; i < n; ++i) {
      if constexpr (std::is_same_v<To, bool>) {
        out[i] = in[i] != F{0};
      } else {
        out[i] = convert<T>(in[i]);
      }
    }
  }
}

/// The arithmetic type through which T is converted: float for half and bfloat16, the part for complex, else T itself.
template <class T>
struct ThroughOf {
  using type = T;
};
template <>
struct ThroughOf<Half> {
  using type = float;
};
template <>
struct ThroughOf<BFloat16> {
  using type = float;
};
template <class R>
struct ThroughOf<std::complex<R>> {
  using type = R;
};
template <class T>
using Through = typename ThroughOf<T>::type;
template <class T>
inline constexpr bool kDirect = std::is_same_v<Through<T>, T>;

template <class R>
void load_through(const std::complex<R>* x, R* y, int64_t n) {
  const auto* in = reinterpret_cast<const Cplx<R>*>(x);
  for (int64_t i = 0; i < n; ++i) y[i] = in[i].re;
}
template <class R>
void store_through(const R* x, std::complex<R>* y, int64_t n) {
  auto* out = reinterpret_cast<Cplx<R>*>(y);
  for (int64_t i = 0; i < n; ++i) out[i] = {x[i], 0};
}
inline void load_through(const Half* x, float* y, int64_t n) { load_floats(x, y, n); }
inline void load_through(const BFloat16* x, float* y, int64_t n) { load_floats(x, y, n); }
inline void store_through(const float* x, Half* y, int64_t n) { store_floats(x, y, n); }
inline void store_through(const float* x, BFloat16* y, int64_t n) { store_floats(x, y, n); }

/// Converts any pair in blocks of the Through types on the stack. `middle` converts between these: its loops are in
/// other files.
template <class From, class To>
void cast_through(const void* x, void* y, int64_t n, CastLoop middle) {
  [[maybe_unused]] alignas(64) Through<From> left[kFloatBlock];
  [[maybe_unused]] alignas(64) Through<To> right[kFloatBlock];
  for (int64_t begin = 0; begin < n; begin += kFloatBlock) {
    const int64_t size = n - begin < kFloatBlock ? n - begin : kFloatBlock;
    const auto* in = static_cast<const From*>(x) + begin;
    auto* out = static_cast<To*>(y) + begin;
    const void* source = in;
    if constexpr (!kDirect<From>) {
      load_through(in, left, size);
      source = left;
    }
    if constexpr (!kDirect<To>) {
      middle(source, right, size);
      store_through(right, out, size);
    } else {
      middle(source, out, size);
    }
  }
}

}  // namespace tinytf::kernels::TINYTF_ISA
