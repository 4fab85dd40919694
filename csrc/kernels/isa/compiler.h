#pragma once

#include <cstring>

// Features that g++ and clang spell differently. Tested with g++ 12 and 16, clang 14; g++ 9 compiles it.

#if defined(__clang__)
/// Precedes a loop whose iterations do not depend on each other through memory.
#define TINYTF_IVDEP _Pragma("clang loop vectorize(assume_safety)")
/// A function that is neither inlined into its callers nor analyzed for them.
#define TINYTF_OPAQUE __attribute__((noinline))
#else
#define TINYTF_IVDEP _Pragma("GCC ivdep")
#define TINYTF_OPAQUE __attribute__((noipa))
#endif

namespace tinytf::kernels::TINYTF_ISA {

/// The bits of a value as another type of its size.
template <class To, class From>
inline To bit_cast(From from) {
#if defined(__clang__) || __GNUC__ >= 11
  return __builtin_bit_cast(To, from);
#else
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(static_cast<void*>(&to), &from, sizeof to);
  return to;
#endif
}

#if !defined(__clang__) && __GNUC__ < 12
template <int bytes>
struct IntegerOf;
template <>
struct IntegerOf<1> {
  using type = signed char;
};
template <>
struct IntegerOf<2> {
  using type = short;
};
template <>
struct IntegerOf<4> {
  using type = int;
};
template <>
struct IntegerOf<8> {
  using type = long long;
};
#endif

/// Picks elements of two vectors by number, as many as a vector has; the elements of `a` are numbered first.
template <int... picked, class V>
__attribute__((always_inline)) inline V shuffle(V a, V b) {
#if defined(__clang__) || __GNUC__ >= 12
  return __builtin_shufflevector(a, b, picked...);
#else
  typedef typename IntegerOf<sizeof(a[0])>::type Numbers __attribute__((vector_size(sizeof(V))));
  return __builtin_shuffle(a, b, Numbers{picked...});
#endif
}

}  // namespace tinytf::kernels::TINYTF_ISA
