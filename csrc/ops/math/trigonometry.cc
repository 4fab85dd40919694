#include "ops/math/shared/elementwise.h"

TINYTF_OPS(math_trigonometry) {
  using kernels::Unary;
  const auto declare = [&](const char* op, const char* name, Unary function, const char* types,
                           std::vector<DType> kernel_types, const char* doc) {
    unary_op(ops, op, types).endpoint(str_cat("math.", name)).endpoint(name).doc(doc);
    add_unary_kernel(kernels, op, function, std::move(kernel_types));
  };
  const auto all = any_of({kFloats, kComplexes});
  const auto float_double = any_of({kFloatDouble});
  const auto not_half = any_of({kFloatDouble, kComplexes});

  declare("Sin", "sin", Unary::kSin, kFloatComplexText, all, "Computes the sine of x, in radians, element-wise.");
  declare("Cos", "cos", Unary::kCos, kFloatComplexText, all, "Computes the cosine of x, in radians, element-wise.");
  declare("Tan", "tan", Unary::kTan, kSignedText, all, "Computes the tangent of x, in radians, element-wise.");
  declare("Asin", "asin", Unary::kAsin, kSignedText, float_double,
          "Computes the angle in [-pi/2, pi/2] whose sine is x, element-wise.");
  declare("Acos", "acos", Unary::kAcos, kSignedText, float_double,
          "Computes the angle in [0, pi] whose cosine is x, element-wise.");
  declare("Atan", "atan", Unary::kAtan, kSignedText, float_double,
          "Computes the angle in [-pi/2, pi/2] whose tangent is x, element-wise.");
  declare("Sinh", "sinh", Unary::kSinh, kFloatComplexText, not_half, "Computes the hyperbolic sine of x element-wise.");
  declare("Cosh", "cosh", Unary::kCosh, kFloatComplexText, not_half,
          "Computes the hyperbolic cosine of x element-wise.");
  declare("Asinh", "asinh", Unary::kAsinh, kFloatComplexText, not_half,
          "Computes the inverse hyperbolic sine of x element-wise.");
  declare("Acosh", "acosh", Unary::kAcosh, kFloatComplexText, not_half,
          "Computes the inverse hyperbolic cosine of x element-wise. It is NaN below 1.");
  declare("Atanh", "atanh", Unary::kAtanh, kFloatComplexText, not_half,
          "Computes the inverse hyperbolic tangent of x element-wise. It is infinite at -1 and 1, and NaN beyond.");

  ops.op("Atan2")
      .input("y: T")
      .input("x: T")
      .output("z: T")
      .attr(str_cat("T: ", kFloatText))
      .shape(shapes::broadcast_binary)
      .endpoint("math.atan2")
      .endpoint("atan2")
      .doc("Computes the angle in [-pi, pi] of the point (x, y) element-wise, with broadcasting.");
  add_binary_kernel(kernels, "Atan2", kernels::Binary::kAtan2, float_double);
}
