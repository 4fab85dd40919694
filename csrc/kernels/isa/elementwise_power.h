#pragma once

#include <cstdint>

#include "kernels/isa/elementwise_math.h"
#include "kernels/isa/elementwise_special.h"

// Branch-free powers, so that loops over them vectorize, with C's results for zeros, infinities, NaNs and negative
// bases.

namespace tinytf::kernels::TINYTF_ISA {

/// log2 of a positive finite float, 2^exponent * (1 + r) with r in [sqrt(1/2) - 1, sqrt(2) - 1), to 35 bits; an
/// arbitrary number for other values.
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

/// 2^t to 31 bits, |t| <= 1000; NaN is propagated.
inline double exp2_within(double t) {
  constexpr double kRounder = 0x1.8p52;  // Adding it leaves the nearest integer in the low bits.
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

/// Effect of an exponent on negative bases.
struct ExponentRule {
  int32_t sign;      ///< Sign of the powers: INT32_MIN for the sign bit, or 0.
  int32_t fraction;  ///< -1 if the bases have no real power, or 0.
};

inline ExponentRule exponent_rule(float b) {
  constexpr float kEven = 0x1p24f;      // Larger floats are even.
  float small = b < kEven ? b : kEven;  // In the range of int32, even for NaN.
  small = small > -kEven ? small : -kEven;
  const int32_t whole = static_cast<int32_t>(small);
  const int32_t fraction = static_cast<float>(whole) == small ? 0 : -1;
  return {static_cast<int32_t>(static_cast<uint32_t>(whole) << 31) & ~fraction, fraction};
}

/// Larger exponents give the same result as this bound; an infinite one would turn log2(1) into NaN.
inline float bounded_exponent(float b) {
  const float below = b > 1e12f ? 1e12f : b;  // Comparisons in this order let NaN through.
  return below < -1e12f ? -1e12f : below;
}

inline float exp2_rounded(double t) {
  const double below = t > 200.0 ? 200.0 : t;
  return static_cast<float>(exp2_within(below < -200.0 ? -200.0 : below));
}

/// a^b from |a|^b, which is valid only for positive finite |a|. Special values are detected by their bits: denormal
/// numbers do not count as zero even if they are flushed, as in C's pow.
inline float signed_power(float a, float b, ExponentRule rule, float of_magnitude) {
  constexpr int32_t kInfBits = 0x7F800000, kOneBits = 0x3F800000;
  const int32_t a_bits = bits_from_float(a), b_bits = bits_from_float(b);
  const int32_t magnitude = a_bits & INT32_MAX, b_magnitude = b_bits & INT32_MAX;
  const int32_t of_zero = b_bits >= 0 ? 0 : kInfBits;
  const int32_t of_infinity = b_bits >= 0 ? kInfBits : 0;
  const int32_t finite = magnitude != 0 ? bits_from_float(of_magnitude) : of_zero;
  const int32_t known = magnitude != kInfBits ? finite : of_infinity;
  const int32_t valid = known | (a_bits & rule.sign);
  const int32_t wrong = bits_from_float(kNan);
  const int32_t of_negative = rule.fraction == 0 ? valid : wrong;
  const int32_t of_finite = magnitude == 0 ? valid : magnitude == kInfBits ? valid : of_negative;
  const int32_t of_number = a_bits < 0 ? of_finite : valid;
  const int32_t of_base = magnitude > kInfBits ? wrong : of_number;
  const int32_t of_exponent = b_magnitude > kInfBits ? wrong : of_base;
  const int32_t of_one = a_bits == kOneBits ? kOneBits : of_exponent;
  return float_from_bits(b_magnitude == 0 ? kOneBits : of_one);
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

/// A number as the sum of two doubles; the second is far smaller.
struct Sum {
  double high, low;
};

/// a * b exactly, unless it leaves the range of doubles.
inline Sum exact_product(double a, double b) {
  const double product = a * b;
#if defined(__FMA__)
  return {product, __builtin_fma(a, b, -product)};
#else
  constexpr double kSplitter = 0x1p27 + 1;  // Splits a into its 26 high bits and the rest.
  const double a_wide = a * kSplitter, b_wide = b * kSplitter;
  const double a_high = a_wide - (a_wide - a), b_high = b_wide - (b_wide - b);
  const double a_low = a - a_high, b_low = b - b_high;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
#endif
}

/// x^n of a double, accurate to the last place: each product keeps its rounding error.
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
    // With infinities the low part is NaN or infinite and is ignored; adding it to a zero would lose the zero's sign.
    const double sum = __builtin_fabs(power.low) < __builtin_inf() ? power.high + power.low : power.high;
    return power.high == 0.0 ? power.high : sum;
  }
}

/// x^(halves / 2) by a square root. Unlike sqrt, C's pow treats -0 and -inf like 0 and inf.
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
