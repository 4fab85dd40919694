#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

#include "base/dtype.h"

// Memory layout of elements and the types in which this ISA level computes with them. Calls nothing of std::, since an
// out-of-line copy of such a function could be shared with another level.

namespace tinytf::kernels::TINYTF_ISA {

/// C's complex type with parts of type R.
template <class R>
struct CComplexOf;
template <>
struct CComplexOf<float> {
  using type = __complex__ float;
};
template <>
struct CComplexOf<double> {
  using type = __complex__ double;
};
template <class R>
using CComplex = typename CComplexOf<R>::type;

/// A complex number in std::complex's layout.
template <class R>
struct Cplx {
  R re, im;

  friend CComplex<R> to_c(Cplx x) {
    CComplex<R> c;
    __real__ c = x.re;
    __imag__ c = x.im;
    return c;
  }
  friend Cplx operator+(Cplx a, Cplx b) { return {a.re + b.re, a.im + b.im}; }
  friend Cplx operator-(Cplx a, Cplx b) { return {a.re - b.re, a.im - b.im}; }
  friend Cplx operator-(Cplx a) { return {-a.re, -a.im}; }
  friend Cplx operator*(Cplx a, Cplx b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
  friend Cplx operator*(R a, Cplx b) { return {a * b.re, a * b.im}; }
  friend Cplx operator/(Cplx a, Cplx b) {  // The compiler's division scales, and treats infinities as C's annex G.
    const CComplex<R> q = to_c(a) / to_c(b);
    return {__real__ q, __imag__ q};
  }
  friend bool operator==(Cplx a, Cplx b) { return a.re == b.re && a.im == b.im; }
  friend bool operator!=(Cplx a, Cplx b) { return !(a == b); }
};

/// Storage of a dtype's element in this level's loops.
template <class T>
struct MemoryOf {
  using type = T;
};
template <>
struct MemoryOf<bool> {
  using type = uint8_t;  // 0 or 1.
};
template <class R>
struct MemoryOf<std::complex<R>> {
  using type = Cplx<R>;
};
template <class T>
using Memory = typename MemoryOf<T>::type;

template <class T>
inline constexpr bool kIsCplx = false;
template <class R>
inline constexpr bool kIsCplx<Cplx<R>> = true;
/// Stored in 16 bits, computed in float.
template <class T>
inline constexpr bool kViaFloat = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

/// Unsigned type in which integer arithmetic of T wraps without undefined behavior.
template <class T>
using Wrap = std::conditional_t<sizeof(T) <= 4, uint32_t, uint64_t>;

}  // namespace tinytf::kernels::TINYTF_ISA
