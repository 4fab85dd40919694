#include "ops/math/shared/elementwise.h"

TINYTF_OPS(math_division) {
  using kernels::Binary;
  using kernels::Unary;
  constexpr const char* kModText = "{int32, int64, bfloat16, half, float, double}";

  binary_op(ops, "RealDiv", kArithmeticText).endpoint("realdiv").doc("Computes x / y element-wise, with broadcasting.");
  add_binary_kernel(kernels, "RealDiv", Binary::kRealDiv, any_of({kFloats, kBfloat16, kComplexes}));

  binary_op(ops, "Div", kArithmeticText)
      .doc(
          "Computes x / y element-wise, with broadcasting. Integers round towards zero, and fail if they are divided "
          "by zero.");
  add_binary_kernel(kernels, "Div", Binary::kRealDiv, any_of({kFloats, kBfloat16, kComplexes}));
  add_binary_kernel(kernels, "Div", Binary::kTruncateDiv, any_of({kInts32And64, kUnsigned8And16, {DType::kInt16}}));

  binary_op(ops, "DivNoNan", kNoBfloat16Text)
      .doc("Computes x / y element-wise, with broadcasting. The result is 0 wherever y is 0.");
  add_binary_kernel(kernels, "DivNoNan", Binary::kDivNoNan, any_of({kFloats, kComplexes}));

  binary_op(ops, "FloorDiv", kArithmeticText)
      .doc("Computes floor(x / y) element-wise, with broadcasting. Integers fail if they are divided by zero.");
  add_binary_kernel(kernels, "FloorDiv", Binary::kFloorDiv,
                    any_of({kFloats, kInts32And64, kUnsigned8And16, kSigned8And16}));

  binary_op(ops, "FloorMod", kModText)
      .endpoint("math.floormod")
      .endpoint("floormod")
      .endpoint("math.mod")
      .endpoint("mod")
      .doc("Computes x - floor(x / y) * y element-wise, with broadcasting. The remainder has the sign of y.");
  add_binary_kernel(kernels, "FloorMod", Binary::kFloorMod, any_of({kFloatDouble, kInts32And64}));

  binary_op(ops, "TruncateDiv", kArithmeticText)
      .endpoint("truncatediv")
      .doc(
          "Computes the integer quotient x / y rounded towards zero, element-wise with broadcasting. It fails if an "
          "integer is divided by zero.");
  add_binary_kernel(kernels, "TruncateDiv", Binary::kTruncateDiv,
                    any_of({kInts32And64, kUnsigned8And16, {DType::kInt16}}));

  binary_op(ops, "TruncateMod", kModText)
      .no_gradient()
      .endpoint("truncatemod")
      .doc(
          "Computes the remainder of the division x / y rounded towards zero, element-wise with broadcasting. The "
          "remainder has the sign of x.");
  add_binary_kernel(kernels, "TruncateMod", Binary::kTruncateMod, any_of({kFloatDouble, kInts32And64}));

  binary_op(ops, "Mod", "{int32, int64, half, half, bfloat16, float, double}")
      .no_gradient()
      .doc("Computes the same as TruncateMod. Older graphs use it.");
  add_binary_kernel(kernels, "Mod", Binary::kTruncateMod, any_of({kFloatDouble, kInts32And64}));

  binary_op(ops, "Xdivy", kNoBfloat16Text)
      .endpoint("math.xdivy")
      .doc("Computes x / y element-wise, with broadcasting. The result is 0 wherever x is 0.");
  add_binary_kernel(kernels, "Xdivy", Binary::kXdivy, any_of({kFloats, kComplexes}));

  unary_op(ops, "Reciprocal", kSignedText)
      .endpoint("math.reciprocal")
      .endpoint("reciprocal")
      .doc("Computes 1 / x element-wise.");
  unary_op(ops, "Inv", kSignedText).doc("Computes the same as Reciprocal. Older graphs use it.");
  for (const char* op : {"Reciprocal", "Inv"}) {
    add_unary_kernel(kernels, op, Unary::kReciprocal, any_of({kAllFloats, kComplexes}));
  }
}
