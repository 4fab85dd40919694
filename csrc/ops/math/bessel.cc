#include <cmath>

#include "ops/math/shared/function_kernel.h"

namespace tinytf::ops {
namespace {

constexpr double kBesselEpsilon = 1e-17;
constexpr double kFar = 25;  // from here on the asymptotic expansion is as precise as a double

/// exp(-x) * I_order(x) for x >= 0 and order 0 or 1.
double scaled_bessel(int order, double x) {
  double term = 1, sum = 1;
  if (x < kFar) {  // (x / 2)**order * sum of (x * x / 4)**k / (k! (k + order)!)
    for (int k = 1; term > kBesselEpsilon * sum; ++k) {
      term *= x * x / (4.0 * k * (k + order));
      sum += term;
    }
    return std::exp(-x) * sum * (order == 0 ? 1 : x / 2);
  }
  if (std::isinf(x)) return 0;
  for (int k = 1; std::abs(term) > kBesselEpsilon * sum; ++k) {
    const double odd = 2 * k - 1;
    term *= (odd * odd - 4 * order) / (8 * k * x);
    sum += term;
  }
  constexpr double kTwoPi = 6.283185307179586476925;
  return sum / std::sqrt(kTwoPi * x);
}

double bessel_i0e(double x) { return scaled_bessel(0, std::abs(x)); }
double bessel_i1e(double x) { return std::copysign(scaled_bessel(1, std::abs(x)), x); }

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_bessel) {
  unary_op(ops, "BesselI0e", kFloatText)
      .trait(Trait::kMapsSparse)
      .endpoint("math.bessel_i0e")
      .doc("Computes exp(-abs(x)) times the modified Bessel function of the first kind of order 0, element-wise.");
  add_function_kernels<bessel_i0e, Half, float, double>(kernels, "BesselI0e");
  unary_op(ops, "BesselI1e", kFloatText)
      .trait(Trait::kMapsSparse)
      .endpoint("math.bessel_i1e")
      .doc("Computes exp(-abs(x)) times the modified Bessel function of the first kind of order 1, element-wise.");
  add_function_kernels<bessel_i1e, Half, float, double>(kernels, "BesselI1e");
}
