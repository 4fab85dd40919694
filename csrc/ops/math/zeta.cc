#include <math.h>  // lgamma_r

#include <cmath>
#include <limits>

#include "ops/math/shared/function_kernel.h"

namespace tinytf::ops {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kZetaNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kZetaEpsilon = std::numeric_limits<double>::epsilon();

/// The sum of (q + k)**-x over k >= 0 for x > 1, by the Euler-Maclaurin formula. q must not be zero or a negative
/// integer, nor far below 0. The first terms are summed until q + k > 10 + x or they are negligible; as they decrease
/// fast for large x, these are at most some hundred.
double euler_maclaurin(double x, double q) {
  // Bernoulli numbers B(2k) / (2k)!.
  constexpr double kCoefficients[] = {1.0 / 12,          -1.0 / 720,
                                      1.0 / 30240,       -1.0 / 1209600,
                                      1.0 / 47900160,    -691.0 / 1307674368000,
                                      1.0 / 74724249600, -3617.0 / 10670622842880000};
  double sum = 0, at = q;
  for (; at < 10 + x; at += 1) {  // the formula below needs at > x
    const double term = std::pow(at, -x);
    sum += term;
    if (!(std::abs(term) > kZetaEpsilon * 1e-3 * std::abs(sum)) && at > 0) return sum;  // also if the term is NaN
  }
  const double power = std::pow(at, -x);
  sum += at * power / (x - 1) + 0.5 * power;
  double product = power * (x / at);  // x (x + 1) … of 2k - 1 factors, times at ** (-x - 2k + 1)
  for (int k = 0; k < static_cast<int>(sizeof kCoefficients / sizeof *kCoefficients); ++k) {
    sum += kCoefficients[k] * product;
    product *= (x + 2 * k + 1) / at * ((x + 2 * k + 2) / at);
  }
  return sum;
}

/// Hurwitz's zeta function: the sum of (q + k)**-x over k >= 0.
double zeta(double x, double q) {
  constexpr double kFarBelow = -64;
  if (x == 1) return kInfinity;
  if (!(x > 1) || std::isnan(q)) return kZetaNan;
  if (q <= 0) {
    if (q == std::floor(q)) return kInfinity;
    if (x != std::floor(x)) return kZetaNan;  // (q + k)**-x has no real value where q + k is negative
  }
  if (q >= kFarBelow) return euler_maclaurin(x, q);
  // The terms with q + k < 0 are, up to their sign, the terms of the bases 1 - fraction, 2 - fraction, …, -q.
  const double fraction = q - std::floor(q);
  const double below = euler_maclaurin(x, 1 - fraction) - euler_maclaurin(x, 1 - q);
  return euler_maclaurin(x, fraction) + (std::fmod(x, 2) == 0 ? below : -below);
}

double polygamma(double n, double x) {
  if (n < 0 || n != std::floor(n)) return kZetaNan;
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
      .doc("Computes the Hurwitz zeta function, the sum of (q + k) ** -x over k >= 0, element-wise with broadcasting.");
  add_function_kernels<zeta, float, double>(kernels, "Zeta");
  declare("Polygamma", "a: T", "x: T", "polygamma")
      .doc("Computes the derivative of order `a` of the digamma function at `x` element-wise, with broadcasting.");
  add_function_kernels<polygamma, float, double>(kernels, "Polygamma");
}
