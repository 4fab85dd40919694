#pragma once

#include "kernels/isa/elementwise_types.h"

// C's complex functions for Cplx.

namespace tinytf::kernels::TINYTF_ISA {

template <class R>
inline Cplx<R> from_c(CComplex<R> c) {
  return {__real__ c, __imag__ c};
}

#define TINYTF_COMPLEX_FUNCTION(name)                                                                       \
  inline Cplx<float> complex_##name(Cplx<float> x) { return from_c<float>(__builtin_c##name##f(to_c(x))); } \
  inline Cplx<double> complex_##name(Cplx<double> x) { return from_c<double>(__builtin_c##name(to_c(x))); }
TINYTF_COMPLEX_FUNCTION(exp)
TINYTF_COMPLEX_FUNCTION(log)
TINYTF_COMPLEX_FUNCTION(sqrt)
TINYTF_COMPLEX_FUNCTION(tanh)
TINYTF_COMPLEX_FUNCTION(sin)
TINYTF_COMPLEX_FUNCTION(cos)
TINYTF_COMPLEX_FUNCTION(tan)
TINYTF_COMPLEX_FUNCTION(sinh)
TINYTF_COMPLEX_FUNCTION(cosh)
TINYTF_COMPLEX_FUNCTION(asinh)
TINYTF_COMPLEX_FUNCTION(acosh)
TINYTF_COMPLEX_FUNCTION(atanh)
#undef TINYTF_COMPLEX_FUNCTION

inline Cplx<float> complex_pow(Cplx<float> x, Cplx<float> y) {
  return from_c<float>(__builtin_cpowf(to_c(x), to_c(y)));
}
inline Cplx<double> complex_pow(Cplx<double> x, Cplx<double> y) {
  return from_c<double>(__builtin_cpow(to_c(x), to_c(y)));
}

inline float complex_abs(Cplx<float> x) { return __builtin_hypotf(x.re, x.im); }
inline double complex_abs(Cplx<double> x) { return __builtin_hypot(x.re, x.im); }
inline float complex_angle(Cplx<float> x) { return __builtin_atan2f(x.im, x.re); }
inline double complex_angle(Cplx<double> x) { return __builtin_atan2(x.im, x.re); }

}  // namespace tinytf::kernels::TINYTF_ISA
