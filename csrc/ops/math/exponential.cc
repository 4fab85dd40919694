#include "ops/math/shared/elementwise.h"

TINYTF_OPS(math_exponential) {
  using kernels::Binary;
  using kernels::Unary;

  unary_op(ops, "Exp", kFloatComplexText)
      .endpoint("math.exp")
      .endpoint("exp")
      .doc("Computes e to the power of x, element-wise.");
  add_unary_kernel(kernels, "Exp", Unary::kExp, any_of({kAllFloats, kComplexes}));

  unary_op(ops, "Expm1", kFloatComplexText)
      .endpoint("math.expm1")
      .endpoint("expm1")
      .doc("Computes exp(x) - 1 element-wise, without loss of precision near x = 0.");
  add_unary_kernel(kernels, "Expm1", Unary::kExpm1, any_of({kAllFloats, kComplexes}));

  unary_op(ops, "Log", kFloatComplexText)
      .endpoint("math.log")
      .endpoint("log")
      .doc("Computes the natural logarithm of x element-wise. It is -inf at 0 and NaN for negative real x.");
  add_unary_kernel(kernels, "Log", Unary::kLog, any_of({kFloats, kBfloat16, kComplexes}));

  unary_op(ops, "Log1p", kFloatComplexText)
      .endpoint("math.log1p")
      .endpoint("log1p")
      .doc("Computes log(1 + x) element-wise, without loss of precision near x = 0.");
  add_unary_kernel(kernels, "Log1p", Unary::kLog1p, any_of({kAllFloats, kComplexes}));

  unary_op(ops, "Sqrt", kFloatComplexText)
      .trait(Trait::kMapsSparse)
      .endpoint("math.sqrt")
      .endpoint("sqrt")
      .doc("Computes the square root of x element-wise. It is NaN for negative real x.");
  add_unary_kernel(kernels, "Sqrt", Unary::kSqrt, any_of({kFloats, kBfloat16, kComplexes}));

  unary_op(ops, "Rsqrt", kFloatComplexText)
      .endpoint("math.rsqrt")
      .endpoint("rsqrt")
      .doc("Computes 1 / sqrt(x) element-wise.");
  add_unary_kernel(kernels, "Rsqrt", Unary::kRsqrt, any_of({kAllFloats, kComplexes}));

  binary_op(ops, "Pow", "{bfloat16, float, half, double, int32, int64, complex64, complex128}")
      .doc("Computes x to the power of y element-wise, with broadcasting. Integers fail for negative powers.");
  add_binary_kernel(kernels, "Pow", Binary::kPow, any_of({kAllFloats, kComplexes, kInts32And64}));

  binary_op(ops, "Xlogy", kNoBfloat16Text)
      .endpoint("math.xlogy")
      .doc("Computes x * log(y) element-wise, with broadcasting. The result is 0 wherever x is 0.");
  add_binary_kernel(kernels, "Xlogy", Binary::kXlogy, any_of({kFloats, kComplexes}));
}
