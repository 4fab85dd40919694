// Unary functions of complex numbers.

#include "kernels/isa/elementwise_complex.h"

#include "kernels/isa/elementwise_fill.h"
#include "kernels/isa/elementwise_loops.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

#define TINYTF_COMPLEX_OP(Name, expression) \
  struct Name {                             \
    template <class C>                      \
    static auto run(C x) {                  \
      return expression;                    \
    }                                       \
  };
TINYTF_COMPLEX_OP(Conj, (C{x.re, -x.im}))
TINYTF_COMPLEX_OP(Real, x.re)
TINYTF_COMPLEX_OP(Imag, x.im)
TINYTF_COMPLEX_OP(Angle, complex_angle(x))
TINYTF_COMPLEX_OP(ComplexAbs, complex_abs(x))
TINYTF_COMPLEX_OP(Exp, complex_exp(x))
TINYTF_COMPLEX_OP(Log, complex_log(x))
TINYTF_COMPLEX_OP(Sqrt, complex_sqrt(x))
TINYTF_COMPLEX_OP(Tanh, complex_tanh(x))
TINYTF_COMPLEX_OP(Sin, complex_sin(x))
TINYTF_COMPLEX_OP(Cos, complex_cos(x))
TINYTF_COMPLEX_OP(Tan, complex_tan(x))
TINYTF_COMPLEX_OP(Sinh, complex_sinh(x))
TINYTF_COMPLEX_OP(Cosh, complex_cosh(x))
TINYTF_COMPLEX_OP(Asinh, complex_asinh(x))
TINYTF_COMPLEX_OP(Acosh, complex_acosh(x))
TINYTF_COMPLEX_OP(Atanh, complex_atanh(x))
TINYTF_COMPLEX_OP(Rsqrt, (C{1, 0} / complex_sqrt(x)))
TINYTF_COMPLEX_OP(Sigmoid, (C{1, 0} / (C{1, 0} + complex_exp(-x))))
#undef TINYTF_COMPLEX_OP

struct Sign {
  template <class C>
  static C run(C x) {
    const auto magnitude = complex_abs(x);
    return magnitude == 0 ? C{0, 0} : C{x.re / magnitude, x.im / magnitude};
  }
};

struct Expm1 {  // expm1(a) cos(b) - 2 sin²(b / 2) keeps small results exact
  template <class R>
  static Cplx<R> run(Cplx<R> x) {
    const R sine = static_cast<R>(__builtin_sin(x.im / 2));
    const R e = static_cast<R>(__builtin_expm1(x.re));
    return {e * static_cast<R>(__builtin_cos(x.im)) - 2 * sine * sine, (e + 1) * static_cast<R>(__builtin_sin(x.im))};
  }
};

struct Log1p {  // log|1 + x| from x * (2 + x) and y², without forming 1 + x
  template <class R>
  static Cplx<R> run(Cplx<R> x) {
    const double square = static_cast<double>(x.re) * (2.0 + x.re) + static_cast<double>(x.im) * x.im;
    const bool near_one = __builtin_fabs(square) < 0.5;
    const Cplx<R> direct = complex_log(Cplx<R>{1 + x.re, x.im});
    return {near_one ? static_cast<R>(0.5 * __builtin_log1p(square)) : direct.re, direct.im};
  }
};

template <class Op>
void add(ElementwiseTable& table, Unary op, float cost) {
  add_unary<Op, std::complex<float>, std::complex<double>>(table, op, cost);
}

}  // namespace

void fill_unary_complex(ElementwiseTable& table) {
  add<Conj>(table, Unary::kConj, 0.4f);
  add<Real>(table, Unary::kReal, 0.4f);
  add<Imag>(table, Unary::kImag, 0.4f);
  add<Angle>(table, Unary::kAngle, 15);
  add<ComplexAbs>(table, Unary::kComplexAbs, 5);
  add<Sign>(table, Unary::kSign, 8);
  add<Exp>(table, Unary::kExp, 25);
  add<Expm1>(table, Unary::kExpm1, 40);
  add<Log>(table, Unary::kLog, 30);
  add<Log1p>(table, Unary::kLog1p, 40);
  add<Sqrt>(table, Unary::kSqrt, 20);
  add<Rsqrt>(table, Unary::kRsqrt, 25);
  add<Tanh>(table, Unary::kTanh, 40);
  add<Sigmoid>(table, Unary::kSigmoid, 35);
  add<Sin>(table, Unary::kSin, 40);
  add<Cos>(table, Unary::kCos, 40);
  add<Tan>(table, Unary::kTan, 40);
  add<Sinh>(table, Unary::kSinh, 40);
  add<Cosh>(table, Unary::kCosh, 40);
  add<Asinh>(table, Unary::kAsinh, 40);
  add<Acosh>(table, Unary::kAcosh, 40);
  add<Atanh>(table, Unary::kAtanh, 40);
}

}  // namespace tinytf::kernels::TINYTF_ISA
