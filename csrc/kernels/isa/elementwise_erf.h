#pragma once

#include "kernels/isa/elementwise_math.h"

// erf and erfc of floats, branch-free, within 2.5 and 4 ulp; polynomials fitted by our own tools at Chebyshev nodes.

namespace tinytf::kernels::TINYTF_ISA {

/// erfc(x) for x >= 0.5: e^(-x²) P(t) / (1 + 2 x), t = (x - 2) / (x + 2).
inline float erfc_tail(float x) {
  const float clamped = x > 10.1f ? 10.1f : x;  // Beyond, the result is 0.
  // x² = high² + rest with high² exact: rounding x² would cost x² ulp of the exponential.
  const float high = float_from_bits(bits_from_float(clamped) & ~0xFFF);
  const float rest = (clamped - high) * (clamped + high);
  constexpr float kRounder = 0x1.8p23f;
  const float shifted = -(high * high) * 1.44269504088896341f + kRounder;
  const float n = shifted - kRounder;
  const float r = ((-(high * high) - n * kLn2High) - n * kLn2Low) - rest;
  const float e = exp_polynomial(r) + 1.0f;
  const float t = (clamped - 2.0f) / (clamped + 2.0f);
  float p = -2.34303428442e-4f;
  p = p * t - 1.26222870313e-3f;
  p = p * t + 1.15414324682e-3f;
  p = p * t + 8.65669827908e-3f;
  p = p * t - 8.00790451467e-3f;
  p = p * t - 5.42106889188e-2f;
  p = p * t + 1.64048984647e-1f;
  p = p * t - 1.66030868888e-1f;
  p = p * t - 9.27637740970e-2f;
  p = p * t + 1.27697837353f;
  const float scaled = e * (p / (1.0f + 2.0f * clamped));
  const int32_t power = bits_from_float(shifted) - bits_from_float(kRounder);
  const int32_t half = power >> 1;
  return scaled * power_of_two(half) * power_of_two(power - half);
}

/// erf(x) / x - 1 for |x| <= 1. Keeping the 1 apart saves a rounding.
inline float erf_core(float x) {
  const float z = x * x;
  float p = -9.63499223872e-6f;
  p = p * z + 1.12546411401e-4f;
  p = p * z - 8.48250754643e-4f;
  p = p * z + 5.22092310712e-3f;
  p = p * z - 2.68653929234e-2f;
  p = p * z + 1.12837821245e-1f;
  p = p * z - 3.76126378775e-1f;
  return p * z + 1.28379225731e-1f;
}

inline float erf(float x) {
  const float magnitude = __builtin_fabsf(x);
  const float far = 1.0f - erfc_tail(magnitude);
  // Near the smallest normal numbers, erf_core(x) * x would be denormal, so x is multiplied by a single factor.
  const float near = magnitude < 0x1p-100f ? x * 1.12837917f : erf_core(x) * x + x;
  return magnitude < 1.0f ? near : __builtin_copysignf(far, x);
}

inline float erfc(float x) {
  const float magnitude = __builtin_fabsf(x);
  const float tail = erfc_tail(magnitude);
  const float far = x < 0.0f ? 2.0f - tail : tail;
  return magnitude < 0.75f ? (1.0f - x) - erf_core(x) * x : far;
}

}  // namespace tinytf::kernels::TINYTF_ISA
