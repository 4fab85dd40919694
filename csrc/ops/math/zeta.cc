#include <math.h>  // lgamma_r

#include <cmath>
#include <limits>

#include "ops/math/function_kernel.h"

namespace tinytf::ops {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// Hurwitz's zeta function: the sum of (q + k)**-x over k >= 0, by Euler and Maclaurin's formula.
double zeta(double x, double q) {
  // Bernoulli numbers B(2k) / (2k)!.
  constexpr double kCoefficients[] = {1.0 / 12,          -1.0 / 720,
                                      1.0 / 30240,       -1.0 / 1209600,
                                      1.0 / 47900160,    -691.0 / 1307674368000,
                                      1.0 / 74724249600, -3617.0 / 10670622842880000};
  if (x == 1) return kInfinity;
  if (!(x > 1)) return kNan;
  if (q <= 0) {
    if (q == std::floor(q)) return kInfinity;
    if (x != std::floor(x)) return kNan;  // (q + k)**-x has no real value where q + k is negative
  }
  double sum = 0, at = q;
  for (; at < 10 + x; at += 1) {  // the formula below needs at > x
    const double term = std::pow(at, -x);
    sum += term;
    if (std::abs(term) < kEpsilon * 1e-3 * std::abs(sum) && at > 0) return sum;
  }
  const double power = std::pow(at, -x);
  sum += at * power / (x - 1) + 0.5 * power;
  double rising = x, falling = power / at;  // x (x + 1) … of 2k - 1 factors, at ** (-x - 2k + 1)
  for (int k = 0; k < static_cast<int>(sizeof kCoefficients / sizeof *kCoefficients); ++k) {
    sum += kCoefficients[k] * rising * falling;
    rising *= (x + 2 * k + 1) * (x + 2 * k + 2);
    falling /= at * at;
  }
  return sum;
}

double polygamma(double n, double x) {
  if (n < 0 || n != std::floor(n)) return kNan;
  if (n == 0) {
    double result;
    kernels::table().elementwise.unary_loop(kernels::Unary::kDigamma, DType::kDouble).run(&x, &result, 1);
    return result;
  }
  const double sign = std::fmod(n, 2) == 0 ? -1 : 1;
  int unused;  // lgamma_r, unlike lgamma, writes no global
  return sign * std::exp(::lgamma_r(n + 1, &unused)) * zeta(n + 1, x);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_zeta) {
  const auto declare = [&](const char* op, const char* first, const char* second, const char* name) {
    return ops.op(op)
        .input(first)
        .input(second)
        .output("z: T")
        .attr("T: {float, double}")
        .shape(shapes::broadcast_binary)
        .endpoint(str_cat("math.", name))
        .endpoint(name);
  };
  declare("Zeta", "x: T", "q: T", "zeta")
      .doc("Hurwitz's zeta function, the sum of (q + k) ** -x over k >= 0, element-wise, with broadcasting.");
  add_function_kernels<zeta, float, double>(kernels, "Zeta");
  declare("Polygamma", "a: T", "x: T", "polygamma")
      .doc("The derivative of order `a` of the digamma function at x, element-wise, with broadcasting.");
  add_function_kernels<polygamma, float, double>(kernels, "Polygamma");
}
