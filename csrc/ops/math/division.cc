#include "ops/math/elementwise.h"

TINYTF_OPS(math_division) {
  using kernels::Binary;
  using kernels::Unary;
  constexpr const char* kModText = "{int32, int64, bfloat16, half, float, double}";

  binary_op(ops, "RealDiv", kArithmeticText).endpoint("realdiv").doc("x / y element-wise, with broadcasting.");
  add_binary_kernel(kernels, "RealDiv", Binary::kRealDiv, any_of({kFloats, kBfloat16, kComplexes}));

  binary_op(ops, "Div", kArithmeticText)
      .doc("x / y element-wise, with broadcasting; integers round towards zero and refuse to divide by zero.");
  add_binary_kernel(kernels, "Div", Binary::kRealDiv, any_of({kFloats, kBfloat16, kComplexes}));
  add_binary_kernel(kernels, "Div", Binary::kTruncateDiv, any_of({kInts32And64, kUnsigned8And16, {DType::kInt16}}));

  binary_op(ops, "DivNoNan", kNoBfloat16Text).doc("x / y element-wise, but 0 wherever y is 0. Broadcasts.");
  add_binary_kernel(kernels, "DivNoNan", Binary::kDivNoNan, any_of({kFloats, kComplexes}));

  binary_op(ops, "FloorDiv", kArithmeticText)
      .doc("floor(x / y) element-wise, with broadcasting. Integers refuse to divide by zero.");
  add_binary_kernel(kernels, "FloorDiv", Binary::kFloorDiv,
                    any_of({kFloats, kInts32And64, kUnsigned8And16, kSigned8And16}));

  binary_op(ops, "FloorMod", kModText)
      .endpoint("math.floormod")
      .endpoint("floormod")
      .endpoint("math.mod")
      .endpoint("mod")
      .doc("x - floor(x / y) * y element-wise: the remainder has the sign of y. Broadcasts.");
  add_binary_kernel(kernels, "FloorMod", Binary::kFloorMod, any_of({kFloatDouble, kInts32And64}));

  binary_op(ops, "TruncateDiv", kArithmeticText)
      .endpoint("truncatediv")
      .doc("x / y of integers, rounded towards zero. Broadcasts; refuses to divide by zero.");
  add_binary_kernel(kernels, "TruncateDiv", Binary::kTruncateDiv,
                    any_of({kInts32And64, kUnsigned8And16, {DType::kInt16}}));

  binary_op(ops, "TruncateMod", kModText)
      .no_gradient()
      .endpoint("truncatemod")
      .doc("The remainder of x / y rounded towards zero: it has the sign of x. Broadcasts.");
  add_binary_kernel(kernels, "TruncateMod", Binary::kTruncateMod, any_of({kFloatDouble, kInts32And64}));

  binary_op(ops, "Mod", "{int32, int64, half, half, bfloat16, float, double}")
      .no_gradient()
      .doc("Like TruncateMod; older graphs use it.");
  add_binary_kernel(kernels, "Mod", Binary::kTruncateMod, any_of({kFloatDouble, kInts32And64}));

  binary_op(ops, "Xdivy", kNoBfloat16Text)
      .endpoint("math.xdivy")
      .doc("x / y element-wise, but 0 wherever x is 0. Broadcasts.");
  add_binary_kernel(kernels, "Xdivy", Binary::kXdivy, any_of({kFloats, kComplexes}));

  unary_op(ops, "Reciprocal", kSignedText)
      .endpoint("math.reciprocal")
      .endpoint("reciprocal")
      .doc("1 / x element-wise.");
  unary_op(ops, "Inv", kSignedText).doc("Like Reciprocal; older graphs use it.");
  for (const char* op : {"Reciprocal", "Inv"}) {
    add_unary_kernel(kernels, op, Unary::kReciprocal, any_of({kAllFloats, kComplexes}));
  }
}
