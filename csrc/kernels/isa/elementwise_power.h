#pragma once

#include <cstdint>

#include "kernels/isa/elementwise_math.h"
#include "kernels/isa/elementwise_special.h"

// Powers without branches, so that the loops over them vectorise, with C's results for zeros, infinities, NaNs and
// negative bases.

namespace tinytf::kernels::TINYTF_ISA {

/// log2 of a positive finite float, 2^exponent * (1 + r) with r in [sqrt(1/2) - 1, sqrt(2) - 1), to 35 bits of it; some
/// number for others.
inline double log2_positive(float x) {
  const bool subnormal = x < 0x1p-126f;
  const float scaled = subnormal ? x * 0x1p23f : x;
  const int32_t offset = static_cast<int32_t>(static_cast<uint32_t>(bits_from_float(scaled)) - 0x3F3504F3u);
  const double exponent = (offset >> 23) - (subnormal ? 23 : 0);
  const double r = float_from_bits((offset & 0x007FFFFF) + 0x3F3504F3) - 1.0f;
  double p = 0x1.35673f9aa82b5p-4;
  p = p * r - 0x1.21af70ff83c08p-3;
  p = p * r + 0x1.28dbd4263f28ep-3;
  p = p * r - 0x1.25de4a1fdcca7p-3;
  p = p * r + 0x1.453051785b436p-3;
  p = p * r - 0x1.7131ef8466c58p-3;
  p = p * r + 0x1.a63df12524940p-3;
  p = p * r - 0x1.ec7352cbb34dbp-3;
  p = p * r + 0x1.277658c208d43p-2;
  p = p * r - 0x1.71546f48707f1p-2;
  p = p * r + 0x1.ec709ea6a0fd9p-2;
  p = p * r - 0x1.715476572cc3ep-1;
  p = p * r + 0x1.71547652a44dbp+0;
  return exponent + p * r;
}

/// 2^t to 31 bits, |t| <= 1000; NaN stays.
inline double exp2_within(double t) {
  constexpr double kRounder = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
  const double shifted = t + kRounder;
  const double r = t - (shifted - kRounder);
  double p = 0x1.00a5815946400p-16;
  p = p * r + 0x1.443fffc90da44p-13;
  p = p * r + 0x1.5d879ead06a99p-10;
  p = p * r + 0x1.3b2a1b7152bf1p-7;
  p = p * r + 0x1.c6b08d883dca1p-5;
  p = p * r + 0x1.ebfbe045f4d3cp-3;
  p = p * r + 0x1.62e42fefa39efp-1;
  const double fraction = p * r + 1.0;
  return bit_cast<double>(bit_cast<uint64_t>(fraction) + (bit_cast<uint64_t>(shifted) << 52));
}

/// What an exponent makes of negative bases.
struct ExponentRule {
  int32_t sign;      ///< of their powers: INT32_MIN for the sign bit, or 0
  int32_t fraction;  ///< -1 if they have no power, or 0
};

inline ExponentRule exponent_rule(float b) {
  constexpr float kEven = 0x1p24f;      // floats from here on are even
  float small = b < kEven ? b : kEven;  // these are integers of 32 bits, NaN or not
  small = small > -kEven ? small : -kEven;
  const int32_t whole = static_cast<int32_t>(small);
  const int32_t fraction = static_cast<float>(whole) == small ? 0 : -1;
  return {static_cast<int32_t>(static_cast<uint32_t>(whole) << 31) & ~fraction, fraction};
}

/// Exponents beyond this one give what it gives; an infinite one would make NaN of log2(1).
inline float bounded_exponent(float b) {
  const float below = b > 1e12f ? 1e12f : b;  // comparisons in this order let NaN through
  return below < -1e12f ? -1e12f : below;
}

inline float exp2_rounded(double t) {
  const double below = t > 200.0 ? 200.0 : t;
  return static_cast<float>(exp2_within(below < -200.0 ? -200.0 : below));
}

/// a^b from |a|^b, which only positive finite magnitudes have.
inline float signed_power(float a, float b, ExponentRule rule, float of_magnitude) {
  const float magnitude = __builtin_fabsf(a);
  const float of_zero = b > 0.0f ? 0.0f : kInf;
  const float of_infinity = b > 0.0f ? kInf : 0.0f;
  const float finite = magnitude > 0.0f ? of_magnitude : of_zero;
  const float known = magnitude < kInf ? finite : of_infinity;
  const float valid = float_from_bits(bits_from_float(known) | (bits_from_float(a) & rule.sign));
  const float of_negative = rule.fraction == 0 ? valid : kNan;
  const float of_finite = a < 0.0f ? of_negative : valid;
  const float of_number = a == -kInf ? valid : of_finite;
  const float of_ordered = a != a ? a : b != b ? b : of_number;
  const float of_one = a == 1.0f ? 1.0f : of_ordered;
  return b == 0.0f ? 1.0f : of_one;
}

/// x^n of a float by products of doubles: rounded once.
template <int n>
inline float whole_power(float x) {
  if constexpr (n == 0) {
    return 1.0f;
  } else if constexpr (n == 1) {
    return x;
  } else if constexpr (n == 2) {
    return x * x;
  } else if constexpr (n == -1) {
    return 1.0f / x;
  } else if constexpr (n < 0) {
    const double base = x;
    double result = base;
    for (int i = 1; i < -n; ++i) result *= base;
    return static_cast<float>(1.0 / result);
  } else {
    const double base = x;
    double result = base;
    for (int i = 1; i < n; ++i) result *= base;
    return static_cast<float>(result);
  }
}

/// A number as the sum of two doubles, of which the second is far smaller.
struct Sum {
  double high, low;
};

/// a * b exactly, unless that leaves the range of doubles.
inline Sum exact_product(double a, double b) {
  const double product = a * b;
#if defined(__FMA__)
  return {product, __builtin_fma(a, b, -product)};
#else
  constexpr double kSplitter = 0x1p27 + 1;  // a = the 26 high bits + what is left
  const double a_wide = a * kSplitter, b_wide = b * kSplitter;
  const double a_high = a_wide - (a_wide - a), b_high = b_wide - (b_wide - b);
  const double a_low = a - a_high, b_low = b - b_high;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
#endif
}

/// x^n of a double, to the last place: each product keeps what its rounding loses.
template <int n>
inline double whole_power(double x) {
  if constexpr (n == 0) {
    return 1.0;
  } else if constexpr (n == 1) {
    return x;
  } else if constexpr (n == 2) {
    return x * x;
  } else if constexpr (n == -1) {
    return 1.0 / x;
  } else {
    Sum base{x, 0};
    if constexpr (n < 0) {
      base.high = 1.0 / x;
      const Sum one = exact_product(base.high, x);
      base.low = ((1.0 - one.high) - one.low) * base.high;
    }
    Sum power = base;
    for (int i = 1; i < (n < 0 ? -n : n); ++i) {
      const Sum next = exact_product(power.high, base.high);
      power.low = next.low + (power.high * base.low + power.low * base.high);
      power.high = next.high;
    }
    // Where there are infinities, what is left is no number, or infinite; a zero would lose its sign.
    const double sum = __builtin_fabs(power.low) < __builtin_inf() ? power.high + power.low : power.high;
    return power.high == 0.0 ? power.high : sum;
  }
}

/// x^(halves / 2) by a square root: C's powers of -0 and -inf are those of 0 and inf, which roots are not.
template <int halves, class T>
inline T root_power(T x) {
  const T below = -static_cast<T>(__builtin_inf());
  T root;
  if constexpr (sizeof(T) == sizeof(float)) {
    root = __builtin_sqrtf(x + T{0});
  } else {
    root = __builtin_sqrt(x + T{0});
  }
  root = x == below ? -below : root;
  if constexpr (halves == -1) {
    return T{1} / root;
  } else if constexpr (halves == 3) {
    return (x < T{0} ? -x : x + T{0}) * root;
  } else {
    static_assert(halves == 1);
    return root;
  }
}

}  // namespace tinytf::kernels::TINYTF_ISA
