#pragma once

#include <math.h>  // lgamma_r

namespace tinytf::kernels::TINYTF_ISA {

inline constexpr double kSeluScale = 1.0507009873554804934193349852946;
inline constexpr double kSeluAlpha = 1.6732632423543772848170429916717;

/// Zero in place of a denormal number if the processor treats it as zero. The math library inspects bits: if its
/// product to scale such a number up gives zero, it goes on with zero's bits, and log returns -745.
inline double without_denormal(double x) { return x == 0 ? __builtin_copysign(0.0, x) : x; }

/// log|gamma(x)|; unlike C's lgamma it writes no global.
inline double lgamma(double x) {
  int sign;
  return ::lgamma_r(without_denormal(x), &sign);
}

/// Derivative of lgamma: reflection for x <= 0, recurrence up to 10, then the asymptotic series. Infinite at the poles.
inline double digamma(double x) {
  constexpr double kPi = 3.14159265358979323846;
  double reflected = 0;
  if (x <= 0) {
    if (x == __builtin_floor(x)) return __builtin_inf();  // As in TensorFlow 1.15.
    const double fraction = x - __builtin_rint(x);
    reflected = kPi / __builtin_tan(kPi * fraction);
    x = 1 - x;
  }
  double sum = 0;
  for (; x < 10; x += 1) sum -= 1 / x;
  const double z = 1 / (x * x);
  double series = 1.0 / 12;
  series = 691.0 / 32760 - z * series;
  series = 1.0 / 132 - z * series;
  series = 1.0 / 240 - z * series;
  series = 1.0 / 252 - z * series;
  series = 1.0 / 120 - z * series;
  series = 1.0 / 12 - z * series;
  return sum + __builtin_log(x) - 0.5 / x - z * series - reflected;
}

}  // namespace tinytf::kernels::TINYTF_ISA
