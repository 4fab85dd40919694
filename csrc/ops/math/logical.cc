#include "ops/math/shared/elementwise.h"

TINYTF_OPS(math_logical) {
  const auto binary = [&ops](const char* name) {
    return ops.op(name)
        .input("x: bool")
        .input("y: bool")
        .output("z: bool")
        .commutative()
        .shape(shapes::broadcast_binary)
        .not_differentiable();
  };
  binary("LogicalAnd")
      .endpoint("math.logical_and")
      .endpoint("logical_and")
      .trait(Trait::kIsBoth)
      .doc("Computes the logical AND of x and y element-wise, with broadcasting.");
  add_binary_kernel(kernels, "LogicalAnd", kernels::Binary::kLogicalAnd, {});
  binary("LogicalOr")
      .endpoint("math.logical_or")
      .endpoint("logical_or")
      .doc("Computes the logical OR of x and y element-wise, with broadcasting.");
  add_binary_kernel(kernels, "LogicalOr", kernels::Binary::kLogicalOr, {});

  ops.op("LogicalNot")
      .input("x: bool")
      .output("y: bool")
      .shape(shapes::unchanged)
      .not_differentiable()
      .endpoint("math.logical_not")
      .endpoint("logical_not")
      .doc("Computes the logical NOT of x element-wise.");
  add_unary_kernel(kernels, "LogicalNot", kernels::Unary::kLogicalNot, {});
}
