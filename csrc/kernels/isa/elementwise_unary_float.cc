// Transcendental functions in float, also for half and bfloat16.

#include "kernels/isa/elementwise_erf.h"
#include "kernels/isa/elementwise_fill.h"
#include "kernels/isa/elementwise_loops.h"
#include "kernels/isa/elementwise_math.h"
#include "kernels/isa/elementwise_special.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

#define TINYTF_FLOAT_OP(Name, expression)            \
  struct Name {                                      \
    static float run(float x) { return expression; } \
  };
TINYTF_FLOAT_OP(Exp, exp(x))
TINYTF_FLOAT_OP(Expm1, expm1(x))
TINYTF_FLOAT_OP(Log, log(x))
TINYTF_FLOAT_OP(Log1p, log1p(x))
TINYTF_FLOAT_OP(Tanh, tanh(x))
TINYTF_FLOAT_OP(Sigmoid, sigmoid(x))
TINYTF_FLOAT_OP(Softplus, softplus(x))
TINYTF_FLOAT_OP(Elu, x < 0.0f ? expm1(x) : x)
TINYTF_FLOAT_OP(Selu, kSeluScale*(x < 0.0f ? kSeluAlpha * expm1(x) : x))
TINYTF_FLOAT_OP(Erf, erf(x))
TINYTF_FLOAT_OP(Erfc, erfc(x))
TINYTF_FLOAT_OP(Tan, __builtin_tanf(x))
TINYTF_FLOAT_OP(Asin, __builtin_asinf(x))
TINYTF_FLOAT_OP(Acos, __builtin_acosf(x))
TINYTF_FLOAT_OP(Atan, __builtin_atanf(x))
TINYTF_FLOAT_OP(Sinh, __builtin_sinhf(x))
TINYTF_FLOAT_OP(Cosh, __builtin_coshf(x))
TINYTF_FLOAT_OP(Asinh, __builtin_asinhf(x))
TINYTF_FLOAT_OP(Acosh, __builtin_acoshf(x))
TINYTF_FLOAT_OP(Atanh, __builtin_atanhf(x))
TINYTF_FLOAT_OP(Lgamma, static_cast<float>(lgamma(static_cast<double>(x))))
TINYTF_FLOAT_OP(Digamma, static_cast<float>(digamma(static_cast<double>(x))))
#undef TINYTF_FLOAT_OP

}  // namespace

void fill_unary_float(ElementwiseTable& table) {
  constexpr float kVector = 0.4f, kLibrary = 6.0f;
#define TINYTF_ADD(Name, cost) add_unary<Name, float, Half, BFloat16>(table, Unary::k##Name, cost);
  TINYTF_ADD(Exp, kVector)
  TINYTF_ADD(Expm1, kVector)
  TINYTF_ADD(Log, kVector)
  TINYTF_ADD(Log1p, kVector)
  TINYTF_ADD(Tanh, kVector)
  TINYTF_ADD(Sigmoid, kVector)
  TINYTF_ADD(Softplus, 2 * kVector)
  TINYTF_ADD(Elu, kVector)
  TINYTF_ADD(Selu, kVector)
  TINYTF_ADD(Erf, 2 * kVector)
  TINYTF_ADD(Erfc, 2 * kVector)
  TINYTF_ADD(Tan, kLibrary)
  TINYTF_ADD(Asin, kLibrary)
  TINYTF_ADD(Acos, kLibrary)
  TINYTF_ADD(Atan, kLibrary)
  TINYTF_ADD(Sinh, kLibrary)
  TINYTF_ADD(Cosh, kLibrary)
  TINYTF_ADD(Asinh, kLibrary)
  TINYTF_ADD(Acosh, kLibrary)
  TINYTF_ADD(Atanh, kLibrary)
  TINYTF_ADD(Lgamma, 4 * kLibrary)
  TINYTF_ADD(Digamma, 4 * kLibrary)
#undef TINYTF_ADD
}

}  // namespace tinytf::kernels::TINYTF_ISA
