#include <math.h>  // lgamma_r

#include <cmath>
#include <limits>

#include "ops/math/shared/function_kernel.h"

namespace tinytf::ops {
namespace {

constexpr double kIgammaNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kIgammaEpsilon = std::numeric_limits<double>::epsilon();
constexpr int kMaxTerms = 100000;  // enough for parameters of 1e8; both expansions take O(sqrt(a)) terms near x == a

/// A number and its derivative with respect to the parameter `a`. The expansions below are templates over Dual and
/// double.
struct Dual {
  double value, slope;
};
Dual operator+(Dual p, double q) { return {p.value + q, p.slope}; }
Dual operator+(Dual p, Dual q) { return {p.value + q.value, p.slope + q.slope}; }
Dual operator*(double p, Dual q) { return {p * q.value, p * q.slope}; }
Dual operator*(Dual p, Dual q) { return {p.value * q.value, p.slope * q.value + p.value * q.slope}; }
Dual operator/(double p, Dual q) { return {p / q.value, -p / q.value / q.value * q.slope}; }
Dual operator/(Dual p, Dual q) { return p * (1 / q); }

double value(double x) { return x; }
double value(Dual x) { return x.value; }

bool settled(double before, double after) { return std::abs(after - before) <= kIgammaEpsilon * std::abs(after); }
bool settled(Dual before, Dual after) {
  // Derivatives carry more rounding errors than values.
  return settled(before.value, after.value) &&
         std::abs(after.slope - before.slope) <= 16 * kIgammaEpsilon * std::abs(after.slope);
}

/// P(a, x) by its power series for x < a + 1, without the factor gamma_factor(a, x).
template <class Real>
Real lower_series(Real a, double x) {
  Real term = x / (a + 1.0);
  Real sum = term + 1.0;
  for (int n = 2; n < kMaxTerms; ++n) {
    const Real before = sum;
    term = term * (x / (a + static_cast<double>(n)));
    sum = sum + term;
    if (settled(before, sum)) break;
  }
  return sum;
}

/// Q(a, x) by its continued fraction for x >= a + 1, evaluated by Lentz's method, without the factor gamma_factor(a, x)
/// * a.
template <class Real>
Real upper_fraction(Real a, double x) {
  constexpr double kTiny = 1e-300;
  const auto not_zero = [](Real number) { return std::abs(value(number)) < kTiny ? 0.0 * number + kTiny : number; };
  Real b = -1.0 * a + (x + 1);
  Real c = 0.0 * a + 1 / kTiny;
  Real d = 1.0 / b;
  Real fraction = d;
  for (int n = 1; n < kMaxTerms; ++n) {
    const Real before = fraction;
    const Real numerator = n * (a + static_cast<double>(-n));
    b = b + 2.0;
    d = 1.0 / not_zero(numerator * d + b);
    c = not_zero(b + numerator / c);
    fraction = fraction * (c * d);
    if (settled(before, fraction)) break;
  }
  return fraction;
}

/// The factor x**a * exp(-x) / gamma(a + 1) of both expansions.
double gamma_factor(double a, double x) {
  int unused;  // lgamma_r, unlike lgamma, writes no global
  return std::exp(a * std::log(x) - x - ::lgamma_r(a + 1, &unused));
}

double digamma(double x) {
  double result;
  kernels::table().elementwise.unary_loop(kernels::Unary::kDigamma, DType::kDouble).run(&x, &result, 1);
  return result;
}

bool outside(double a, double x) { return std::isnan(a) || std::isnan(x) || x < 0 || a <= 0; }

/// As in TensorFlow, the lower function and its derivative are 0 at x = 0 whatever `a` is, unless `a` is NaN.
bool at_zero(double a, double x) { return x == 0 && !std::isnan(a); }

double igamma(double a, double x) {
  if (at_zero(a, x)) return 0;
  if (outside(a, x)) return kIgammaNan;
  if (std::isinf(x)) return 1;
  const double factor = gamma_factor(a, x);
  return x < a + 1 ? lower_series(a, x) * factor : 1 - upper_fraction(a, x) * factor * a;
}

double igammac(double a, double x) {
  if (outside(a, x)) return kIgammaNan;
  if (x == 0) return 1;
  if (std::isinf(x)) return 0;
  const double factor = gamma_factor(a, x);
  return x < a + 1 ? 1 - lower_series(a, x) * factor : upper_fraction(a, x) * factor * a;
}

/// -dP/da divided by dP/dx, the density of the gamma distribution: the derivative of a sample x with respect to `a` for
/// constant P(a, x). Neither branch subtracts nearly equal numbers, and powers of x cannot overflow.
double sample_grad(double a, double x) {
  if (at_zero(a, x)) return 0;
  if (outside(a, x)) return kIgammaNan;
  const Dual parameter = {a, 1};
  if (x < a + 1) {
    const Dual sum = lower_series(parameter, x);
    return -(sum.value * (std::log(x) - digamma(a + 1)) + sum.slope) * x / a;
  }
  const Dual fraction = upper_fraction(parameter, x);
  return (fraction.value * (std::log(x) - digamma(a)) + fraction.slope) * x;
}

/// dP/da.
double igamma_grad_a(double a, double x) {
  if (at_zero(a, x)) return 0;
  if (outside(a, x)) return kIgammaNan;
  if (std::isinf(x)) return 0;
  return -sample_grad(a, x) * gamma_factor(a, x) * a / x;
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_igamma) {
  const auto declare = [&](const char* op) {
    return ops.op(op)
        .input("a: T")
        .input("x: T")
        .output("z: T")
        .attr("T: {float, double}")
        .shape(shapes::broadcast_binary);
  };
  declare("Igamma")
      .endpoint("math.igamma")
      .endpoint("igamma")
      .doc("Computes the lower regularized incomplete gamma function P(a, x) element-wise, with broadcasting.");
  add_function_kernels<igamma, float, double>(kernels, "Igamma");
  declare("Igammac")
      .endpoint("math.igammac")
      .endpoint("igammac")
      .doc("Computes the upper regularized incomplete gamma function Q(a, x) element-wise, with broadcasting.");
  add_function_kernels<igammac, float, double>(kernels, "Igammac");
  declare("IgammaGradA")
      .no_gradient()
      .doc("Computes the derivative of igamma(a, x) with respect to `a` element-wise, with broadcasting.");
  add_function_kernels<igamma_grad_a, float, double>(kernels, "IgammaGradA");

  ops.op("RandomGammaGrad")
      .input("alpha: T")
      .input("sample: T")
      .output("output: T")
      .attr("T: {float, double}")
      .shape(shapes::broadcast_binary)
      .no_gradient()
      .doc(
          "Computes the derivative of a sample of the gamma distribution of scale 1 with respect to its parameter "
          "`alpha`, element-wise with broadcasting. The sample is seen as the inverse of igamma(alpha, x).");
  add_function_kernels<sample_grad, float, double>(kernels, "RandomGammaGrad");
}
