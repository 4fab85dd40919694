// Transcendental functions in double.

#include "kernels/isa/elementwise_fill.h"
#include "kernels/isa/elementwise_loops.h"
#include "kernels/isa/elementwise_special.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

double softplus(double x) {
  return __builtin_log1p(__builtin_exp(-__builtin_fabs(x))) + (x < 0 ? 0 : x);  // NaN is propagated.
}

#define TINYTF_DOUBLE_OP(Name, expression)             \
  struct Name {                                        \
    static double run(double x) { return expression; } \
  };
TINYTF_DOUBLE_OP(Exp, __builtin_exp(x))
TINYTF_DOUBLE_OP(Expm1, __builtin_expm1(x))
TINYTF_DOUBLE_OP(Log, __builtin_log(without_denormal(x)))
TINYTF_DOUBLE_OP(Log1p, __builtin_log1p(x))
TINYTF_DOUBLE_OP(Tanh, __builtin_tanh(x))
TINYTF_DOUBLE_OP(Sigmoid, 1 / (1 + __builtin_exp(-x)))
TINYTF_DOUBLE_OP(Softplus, softplus(x))
TINYTF_DOUBLE_OP(Elu, x < 0 ? __builtin_expm1(x) : x)
TINYTF_DOUBLE_OP(Selu, kSeluScale*(x < 0 ? kSeluAlpha * __builtin_expm1(x) : x))
TINYTF_DOUBLE_OP(Erf, __builtin_erf(x))
TINYTF_DOUBLE_OP(Erfc, __builtin_erfc(x))
TINYTF_DOUBLE_OP(Sin, __builtin_sin(x))
TINYTF_DOUBLE_OP(Cos, __builtin_cos(x))
TINYTF_DOUBLE_OP(Tan, __builtin_tan(x))
TINYTF_DOUBLE_OP(Asin, __builtin_asin(x))
TINYTF_DOUBLE_OP(Acos, __builtin_acos(x))
TINYTF_DOUBLE_OP(Atan, __builtin_atan(x))
TINYTF_DOUBLE_OP(Sinh, __builtin_sinh(x))
TINYTF_DOUBLE_OP(Cosh, __builtin_cosh(x))
TINYTF_DOUBLE_OP(Asinh, __builtin_asinh(x))
TINYTF_DOUBLE_OP(Acosh, __builtin_acosh(x))
TINYTF_DOUBLE_OP(Atanh, __builtin_atanh(x))
TINYTF_DOUBLE_OP(Lgamma, lgamma(x))
TINYTF_DOUBLE_OP(Digamma, digamma(x))
#undef TINYTF_DOUBLE_OP

}  // namespace

void fill_unary_double(ElementwiseTable& table) {
#define TINYTF_ADD(Name, cost) add_unary<Name, double>(table, Unary::k##Name, cost);
  TINYTF_ADD(Exp, 4)
  TINYTF_ADD(Expm1, 8)
  TINYTF_ADD(Log, 4)
  TINYTF_ADD(Log1p, 8)
  TINYTF_ADD(Tanh, 10)
  TINYTF_ADD(Sigmoid, 5)
  TINYTF_ADD(Softplus, 12)
  TINYTF_ADD(Elu, 6)
  TINYTF_ADD(Selu, 6)
  TINYTF_ADD(Erf, 10)
  TINYTF_ADD(Erfc, 12)
  TINYTF_ADD(Sin, 8)
  TINYTF_ADD(Cos, 8)
  TINYTF_ADD(Tan, 12)
  TINYTF_ADD(Asin, 10)
  TINYTF_ADD(Acos, 10)
  TINYTF_ADD(Atan, 10)
  TINYTF_ADD(Sinh, 10)
  TINYTF_ADD(Cosh, 10)
  TINYTF_ADD(Asinh, 12)
  TINYTF_ADD(Acosh, 12)
  TINYTF_ADD(Atanh, 12)
  TINYTF_ADD(Lgamma, 20)
  TINYTF_ADD(Digamma, 20)
#undef TINYTF_ADD
}

}  // namespace tinytf::kernels::TINYTF_ISA
