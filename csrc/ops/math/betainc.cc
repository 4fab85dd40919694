#include <math.h>  // lgamma_r

#include <cmath>
#include <limits>

#include "ops/math/shared/function_kernel.h"

namespace tinytf::ops {
namespace {

constexpr double kBetaincEpsilon = std::numeric_limits<double>::epsilon();

/// The continued fraction of I_x(a, b), evaluated by Lentz's method. It takes O(sqrt(max(a, b))) terms for x < (a + 1)
/// / (a + b + 2).
double fraction(double a, double b, double x) {
  static constexpr double kTiny = 1e-300;
  constexpr int kMaxTerms = 100000;
  const auto not_zero = [](double number) { return std::abs(number) < kTiny ? kTiny : number; };
  double c = 1;
  double d = 1 / not_zero(1 - (a + b) * x / (a + 1));
  double result = d;
  double change = 0;
  const auto add_term = [&](double numerator) {
    d = 1 / not_zero(1 + numerator * d);
    c = not_zero(1 + numerator / c);
    change = c * d;
    result *= change;
  };
  for (int m = 1; m < kMaxTerms && std::abs(change - 1) > kBetaincEpsilon; ++m) {
    add_term(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
    add_term(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)));
  }
  return result;
}

double log_gamma(double x) {
  int unused;  // lgamma_r, unlike lgamma, writes no global
  return ::lgamma_r(x, &unused);
}

double betainc(double a, double b, double x) {
  if (!(a > 0 && b > 0 && x >= 0 && x <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0 || x == 1) return x;
  const double factor = std::exp(a * std::log(x) + b * std::log1p(-x) + log_gamma(a + b) - log_gamma(a) - log_gamma(b));
  return x < (a + 1) / (a + b + 2) ? factor * fraction(a, b, x) / a : 1 - factor * fraction(b, a, 1 - x) / b;
}

/// All inputs that are not scalars must have the same shape.
Status betainc_shape(ShapeContext& c) {
  PartialShape shape;
  int scalars = 0;
  for (int i = 0; i < 3; ++i) {
    const PartialShape& input = c.input(i);
    if (input.rank() == 0) {
      ++scalars;
    } else {
      TINYTF_ASSIGN_OR_RETURN(shape, shape.merge(input));
    }
  }
  c.set_output(0, scalars == 3 ? PartialShape::scalar() : shape);
  return Status();
}

template <class T>
class BetaincKernel final : public FunctionKernel<T, betainc> {
 public:
  using FunctionKernel<T, betainc>::FunctionKernel;

  Status compute(KernelContext& ctx) override {
    constexpr const char* kNames[] = {"a", "b", "x"};
    for (int i = 0; i < 3; ++i) {
      for (int j = i + 1; j < 3; ++j) {
        const Shape& first = ctx.input(i).shape();
        const Shape& second = ctx.input(j).shape();
        if (first.rank() > 0 && second.rank() > 0 && first != second) {
          return invalid_argument("Shapes of ", kNames[i], " and ", kNames[j], " are inconsistent: ", first.to_string(),
                                  " vs. ", second.to_string());
        }
      }
    }
    return FunctionKernel<T, betainc>::compute(ctx);
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_betainc) {
  ops.op("Betainc")
      .input("a: T")
      .input("b: T")
      .input("x: T")
      .output("z: T")
      .attr("T: {float, double}")
      .shape(betainc_shape)
      .endpoint("math.betainc")
      .endpoint("betainc")
      .doc(
          "Computes the regularized incomplete beta function I_x(a, b) element-wise, for x in [0, 1]. Inputs that are "
          "not scalars must have equal shapes.");
  kernels.add_typed<BetaincKernel, float, double>("Betainc", "T");
}
