#include "ops/math/shared/elementwise.h"

TINYTF_OPS(math_classify) {
  using kernels::Unary;
  const auto declare = [&ops](const char* name) {
    return ops.op(name)
        .input("x: T")
        .output("y: bool")
        .attr(str_cat("T: ", kFloatText))
        .shape(shapes::unchanged)
        .no_gradient();
  };

  declare("IsNan")
      .endpoint("math.is_nan")
      .endpoint("debugging.is_nan")
      .endpoint("is_nan")
      .doc("Tests element-wise whether x is NaN.");
  add_unary_kernel(kernels, "IsNan", Unary::kIsNan, any_of({kFloats, kBfloat16}));

  declare("IsInf")
      .endpoint("math.is_inf")
      .endpoint("debugging.is_inf")
      .endpoint("is_inf")
      .doc("Tests element-wise whether x is infinite.");
  add_unary_kernel(kernels, "IsInf", Unary::kIsInf, any_of({kFloats}));

  declare("IsFinite")
      .endpoint("math.is_finite")
      .endpoint("debugging.is_finite")
      .endpoint("is_finite")
      .doc("Tests element-wise whether x is finite, i.e. neither infinite nor NaN.");
  add_unary_kernel(kernels, "IsFinite", Unary::kIsFinite, any_of({kFloats}));
}
