#include "ops/math/shared/elementwise.h"

TINYTF_OPS(math_special) {
  using kernels::Unary;
  const auto declare = [&](const char* op, const char* name, Unary function, const char* doc) {
    add_unary_kernel(kernels, op, function, any_of({kFloats}));
    return unary_op(ops, op, kFloatText).endpoint(str_cat("math.", name)).endpoint(name).doc(doc);
  };
  declare("Erf", "erf", Unary::kErf, "Computes the Gauss error function of x element-wise.").trait(Trait::kMapsSparse);
  declare("Erfc", "erfc", Unary::kErfc, "Computes 1 - erf(x) element-wise, without loss of precision for large x.");
  declare("Lgamma", "lgamma", Unary::kLgamma,
          "Computes the logarithm of the absolute value of the gamma function of x, element-wise.");
  declare("Digamma", "digamma", Unary::kDigamma, "Computes the derivative of lgamma at x, element-wise.");

  ops.op("NextAfter")
      .input("x1: T")
      .input("x2: T")
      .output("output: T")
      .attr("T: {double, float} = DT_FLOAT")
      .shape(shapes::broadcast_binary)
      .endpoint("math.nextafter")
      .doc("Computes the number next to `x1` in the direction of `x2` element-wise, with broadcasting.");
  add_binary_kernel(kernels, "NextAfter", kernels::Binary::kNextAfter, any_of({kFloatDouble}));
}
