#include <cmath>
#include <limits>

#include "ops/math/elementwise.h"

namespace tinytf::ops {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr int kMaxTerms = 100000;  // enough for parameters of 1e8; both expansions take O(sqrt(a)) terms near x == a

/// x**a * exp(-x) / gamma(a + 1), which both expansions of the incomplete gamma functions carry.
double gamma_factor(double a, double x) { return std::exp(a * std::log(x) - x - std::lgamma(a + 1)); }

/// P(a, x) by its power series, for x < a + 1.
double lower_series(double a, double x) {
  double term = 1, sum = 1;
  for (int n = 1; n < kMaxTerms && term > kEpsilon * sum; ++n) {
    term *= x / (a + n);
    sum += term;
  }
  return sum * gamma_factor(a, x);
}

/// Q(a, x) by its continued fraction, evaluated by Lentz's method, for x >= a + 1.
double upper_fraction(double a, double x) {
  constexpr double kTiny = 1e-300;
  double b = x + 1 - a;
  double c = 1 / kTiny;
  double d = 1 / b;
  double fraction = d;
  for (int n = 1; n < kMaxTerms; ++n) {
    const double numerator = -n * (n - a);
    b += 2;
    d = numerator * d + b;
    d = 1 / (std::abs(d) < kTiny ? kTiny : d);
    c = b + numerator / c;
    c = std::abs(c) < kTiny ? kTiny : c;
    fraction *= c * d;
    if (std::abs(c * d - 1) < kEpsilon) break;
  }
  return fraction * gamma_factor(a, x) * a;
}

double igamma(double a, double x) {
  if (std::isnan(a) || std::isnan(x) || x < 0 || a <= 0) return kNan;
  if (x == 0) return 0;
  if (std::isinf(x)) return 1;
  return x < a + 1 ? lower_series(a, x) : 1 - upper_fraction(a, x);
}

double igammac(double a, double x) {
  if (std::isnan(a) || std::isnan(x) || x < 0 || a <= 0) return kNan;
  if (x == 0) return 1;
  if (std::isinf(x)) return 0;
  return x < a + 1 ? 1 - lower_series(a, x) : upper_fraction(a, x);
}

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
  return sign * std::exp(std::lgamma(n + 1)) * zeta(n + 1, x);
}

/// A function of two doubles on T, with broadcasting.
template <class T, double (*Function)(double, double)>
class FunctionKernel final : public Kernel {
 public:
  explicit FunctionKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& x = ctx.input(0);
    const Tensor& y = ctx.input(1);
    kernels::BroadcastPlan plan;
    TINYTF_RETURN_IF_ERROR(plan_broadcast({&x.shape(), &y.shape()}, &plan));
    TINYTF_ASSIGN_OR_RETURN(const Shape shape, shapes::broadcast(x.shape(), y.shape()));
    TINYTF_ASSIGN_OR_RETURN(Tensor * z, ctx.allocate_output(0, shape));
    T* out = z->data<T>();
    for_each_broadcast(plan, [&](int64_t i, const int64_t* at) {
      out[i] =
          static_cast<T>(Function(static_cast<double>(x.data<T>()[at[0]]), static_cast<double>(y.data<T>()[at[1]])));
    });
    return Status();
  }
};

template <double (*Function)(double, double)>
OpDefBuilder declare(OpRegistry& ops, KernelRegistry& kernels, const char* op, const char* first, const char* second,
                     const char* name) {
  kernels.add<FunctionKernel<float, Function>>(op).where("T", {DType::kFloat});
  kernels.add<FunctionKernel<double, Function>>(op).where("T", {DType::kDouble});
  return ops.op(op)
      .input(first)
      .input(second)
      .output("z: T")
      .attr("T: {float, double}")
      .shape(shapes::broadcast_binary)
      .endpoint(str_cat("math.", name))
      .endpoint(name);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_gamma) {
  declare<igamma>(ops, kernels, "Igamma", "a: T", "x: T", "igamma")
      .no_gradient()
      .doc("The lower regularized incomplete gamma function P(a, x) element-wise, with broadcasting.");
  declare<igammac>(ops, kernels, "Igammac", "a: T", "x: T", "igammac")
      .no_gradient()
      .doc("The upper regularized incomplete gamma function Q(a, x) element-wise, with broadcasting.");
  declare<zeta>(ops, kernels, "Zeta", "x: T", "q: T", "zeta")
      .doc("Hurwitz's zeta function, the sum of (q + k) ** -x over k >= 0, element-wise, with broadcasting.");
  declare<polygamma>(ops, kernels, "Polygamma", "a: T", "x: T", "polygamma")
      .doc("The derivative of order `a` of the digamma function at x, element-wise, with broadcasting.");
}
