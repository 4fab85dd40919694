#include "ops/math/shared/elementwise.h"

TINYTF_OPS(math_arithmetic) {
  using kernels::Binary;
  using kernels::Unary;

  binary_op(ops, "Sub", kArithmeticText)
      .endpoint("math.subtract")
      .endpoint("subtract")
      .doc("Computes x - y element-wise, with broadcasting.");
  add_binary_kernel(kernels, "Sub", Binary::kSub, any_of({kNumbers}));

  binary_op(ops, "Mul", kArithmeticText)
      .commutative()
      .endpoint("math.multiply")
      .endpoint("multiply")
      .doc("Computes x * y element-wise, with broadcasting.");
  add_binary_kernel(kernels, "Mul", Binary::kMul, any_of({kNumbers}));

  binary_op(ops, "MulNoNan", kNoBfloat16Text)
      .doc(
          "Computes x * y element-wise, with broadcasting. The result is 0 wherever y is 0, even if x is infinite or "
          "NaN.");
  add_binary_kernel(kernels, "MulNoNan", Binary::kMulNoNan, any_of({kFloats, kComplexes}));

  binary_op(ops, "SquaredDifference", kSignedText)
      .commutative()
      .endpoint("math.squared_difference")
      .endpoint("squared_difference")
      .doc("Computes (x - y) * conj(x - y) element-wise, with broadcasting.");
  add_binary_kernel(kernels, "SquaredDifference", Binary::kSquaredDifference,
                    any_of({kAllFloats, kComplexes, kInts32And64}));

  constexpr const char* kOrderedText = "{bfloat16, half, float, double, int32, int64}";
  binary_op(ops, "Maximum", kOrderedText)
      .endpoint("math.maximum")
      .endpoint("maximum")
      .doc("Computes the larger of x and y element-wise, with broadcasting.");
  add_binary_kernel(kernels, "Maximum", Binary::kMaximum, any_of({kFloats, kBfloat16, kInts32And64}));

  binary_op(ops, "Minimum", kOrderedText)
      .endpoint("math.minimum")
      .endpoint("minimum")
      .doc("Computes the smaller of x and y element-wise, with broadcasting.");
  add_binary_kernel(kernels, "Minimum", Binary::kMinimum, any_of({kFloats, kBfloat16, kInts32And64}));

  unary_op(ops, "Abs", "{bfloat16, half, float, double, int8, int16, int32, int64}")
      .doc("Computes the absolute value of x element-wise. ComplexAbs does so for complex numbers.");
  add_unary_kernel(kernels, "Abs", Unary::kAbs, any_of({kFloats, kBfloat16, kInts32And64, kSigned8And16}));

  unary_op(ops, "Neg", kSignedText)
      .trait(Trait::kMapsSparse)
      .endpoint("math.negative")
      .endpoint("negative")
      .doc("Computes -x element-wise.");
  add_unary_kernel(kernels, "Neg", Unary::kNeg, any_of({kFloats, kBfloat16, kComplexes, kInts32And64}));

  unary_op(ops, "Sign", kSignedText)
      .trait(Trait::kMapsSparse)
      .endpoint("math.sign")
      .endpoint("sign")
      .doc(
          "Computes the sign of x element-wise: -1, 0 or 1 for a negative, zero or positive number, and x / abs(x) (0 "
          "at 0) for a complex number.");
  add_unary_kernel(kernels, "Sign", Unary::kSign, any_of({kAllFloats, kComplexes, kInts32And64}));

  unary_op(ops, "Square", kSignedText)
      .trait(Trait::kMapsSparse)
      .endpoint("math.square")
      .endpoint("square")
      .doc("Computes x * x element-wise.");
  add_unary_kernel(kernels, "Square", Unary::kSquare, any_of({kFloats, kBfloat16, kComplexes, kInts32And64}));
}
