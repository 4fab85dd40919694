#include "ops/math/shared/elementwise.h"

TINYTF_OPS(math_bitwise) {
  using kernels::Binary;
  constexpr const char* kText = "{int8, int16, int32, int64, uint8, uint16, uint32, uint64}";
  const auto declare = [&](const char* op, const char* name, Binary function, const char* doc) {
    add_binary_kernel(kernels, op, function, any_of({kAllInts}));
    return binary_op(ops, op, kText).not_differentiable().endpoint(str_cat("bitwise.", name)).doc(doc);
  };
  declare("BitwiseAnd", "bitwise_and", Binary::kBitwiseAnd, "Computes x & y element-wise, with broadcasting.")
      .commutative();
  declare("BitwiseOr", "bitwise_or", Binary::kBitwiseOr, "Computes x | y element-wise, with broadcasting.")
      .commutative();
  declare("BitwiseXor", "bitwise_xor", Binary::kBitwiseXor, "Computes x ^ y element-wise, with broadcasting.")
      .commutative();
  declare("LeftShift", "left_shift", Binary::kLeftShift,
          "Computes x << y element-wise, with broadcasting. y is clamped to [0, bits of the type - 1].");
  declare("RightShift", "right_shift", Binary::kRightShift,
          "Computes x >> y element-wise, with broadcasting. The shift is arithmetic for signed types; y is clamped to "
          "[0, bits of the type - 1].");

  unary_op(ops, "Invert", kText)
      .not_differentiable()
      .endpoint("bitwise.invert")
      .doc("Flips all bits of x, element-wise.");
  add_unary_kernel(kernels, "Invert", kernels::Unary::kInvert, any_of({kAllInts}));

  ops.op("PopulationCount")
      .input("x: T")
      .output("y: uint8")
      .attr(str_cat("T: ", kText))
      .shape(shapes::unchanged)
      .not_differentiable()
      .doc("Counts the bits of x that are 1, element-wise.");
  add_unary_kernel(kernels, "PopulationCount", kernels::Unary::kPopulationCount,
                   any_of({kInts32And64, kSigned8And16, kUnsigned8And16}));
}
