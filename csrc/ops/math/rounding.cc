#include "ops/math/shared/elementwise.h"

TINYTF_OPS(math_rounding) {
  using kernels::Unary;

  unary_op(ops, "Floor", kFloatText)
      .endpoint("math.floor")
      .endpoint("floor")
      .doc("Computes the largest integer that is not greater than x, element-wise.");
  add_unary_kernel(kernels, "Floor", Unary::kFloor, any_of({kAllFloats}));

  unary_op(ops, "Ceil", kFloatText)
      .endpoint("math.ceil")
      .endpoint("ceil")
      .doc("Computes the smallest integer that is not less than x, element-wise.");
  add_unary_kernel(kernels, "Ceil", Unary::kCeil, any_of({kAllFloats}));

  unary_op(ops, "Round", kSignedText).doc("Rounds x to the nearest integer, element-wise; halves go to the even one.");
  add_unary_kernel(kernels, "Round", Unary::kRound, any_of({kAllFloats, kInts32And64}));

  unary_op(ops, "Rint", kFloatText)
      .endpoint("math.rint")
      .endpoint("rint")
      .doc("Rounds x to the nearest integer, element-wise; halves go to the even one.");
  add_unary_kernel(kernels, "Rint", Unary::kRint, any_of({kFloatDouble}));
}
