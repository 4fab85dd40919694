#pragma once

#include <cstdint>

#include "kernels/isa/compiler.h"

// Branch-free float functions, so that loops over them vectorize. Each is within 2.5 ulp of the true value over all
// floats, subnormal results included, and gives C's results for infinities, NaNs and domain errors.

namespace tinytf::kernels::TINYTF_ISA {

inline float float_from_bits(int32_t bits) { return bit_cast<float>(bits); }
inline int32_t bits_from_float(float x) { return bit_cast<int32_t>(x); }

inline constexpr float kInf = __builtin_inff();
inline constexpr float kNan = __builtin_nanf("");
inline constexpr float kLn2High = 0.693359375f;  // 9 bits: its products with exponents are exact.
inline constexpr float kLn2Low = -2.12194440e-4f;

/// e^x = 2^n * (1 + p), valid for |x| <= 150; p = e^r - 1 with r in [-ln2 / 2, ln2 / 2].
struct ExpParts {
  int32_t n;
  float p;
};

/// e^r - 1 for r slightly beyond [-ln2 / 2, ln2 / 2].
inline float exp_polynomial(float r) {
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  return p * (r * r) + r;
}

inline ExpParts exp_parts(float x) {
  constexpr float kRounder = 0x1.8p23f;  // Adding it leaves the nearest integer in the low bits.
  const float shifted = x * 1.44269504088896341f + kRounder;
  const float n = shifted - kRounder;
  const float r = (x - n * kLn2High) - n * kLn2Low;
  return {bits_from_float(shifted) - bits_from_float(kRounder), exp_polynomial(r)};
}

inline float power_of_two(int32_t n) {  // -126 <= n <= 127
  return float_from_bits(static_cast<int32_t>(static_cast<uint32_t>(n + 127) << 23));
}

inline float exp(float x) {
  float clamped = x > 90.0f ? 90.0f : x;  // Comparisons in this order let NaN through.
  clamped = clamped < -110.0f ? -110.0f : clamped;
  const ExpParts e = exp_parts(clamped);
  // Two factors: a single one would overflow at the top and could not give subnormal results at the bottom.
  const int32_t half = e.n >> 1;
  return (e.p + 1.0f) * power_of_two(half) * power_of_two(e.n - half);
}

inline float expm1(float x) {
  float clamped = x > 90.0f ? 90.0f : x;
  clamped = clamped < -30.0f ? -30.0f : clamped;
  const ExpParts e = exp_parts(clamped);
  const float half = power_of_two(e.n - 1 > 127 ? 127 : e.n - 1);
  const float result = (half * e.p + (half - 0.5f)) * 2.0f;
  return x > 88.8f ? kInf : x == 0.0f ? x : result;
}

inline float log_positive(float x) {  // 0 < x < inf
  const bool subnormal = x < 0x1p-126f;
  const float scaled = subnormal ? x * 0x1p23f : x;
  // Mantissa in [sqrt(1/2), sqrt(2)), and its exponent.
  const int32_t offset = static_cast<int32_t>(static_cast<uint32_t>(bits_from_float(scaled)) - 0x3F3504F3u);
  const int32_t exponent = offset >> 23;
  const float m = float_from_bits((offset & 0x007FFFFF) + 0x3F3504F3) - 1.0f;
  const float e = static_cast<float>(exponent - (subnormal ? 23 : 0));
  float p = 7.0376836292e-2f;
  p = p * m - 1.1514610310e-1f;
  p = p * m + 1.1676998740e-1f;
  p = p * m - 1.2420140846e-1f;
  p = p * m + 1.4249322787e-1f;
  p = p * m - 1.6668057665e-1f;
  p = p * m + 2.0000714765e-1f;
  p = p * m - 2.4999993993e-1f;
  p = p * m + 3.3333331174e-1f;
  const float z = m * m;
  const float tail = (p * m * z + e * kLn2Low) - 0.5f * z;
  return e * kLn2High + (m + tail);
}

inline float log(float x) {
  const float result = log_positive(x);
  const float special = x == 0.0f ? -kInf : x > 0.0f ? x : kNan;
  return x > 0.0f && x < kInf ? result : special;
}

inline float log1p(float x) {
  const float u = 1.0f + x;
  const float lost = (x - (u - 1.0f)) / u;  // The rounding error of 1 + x.
  const float result = log_positive(u) + lost;
  const float special = x == -1.0f ? -kInf : x > 0.0f ? x : kNan;
  return x == 0.0f ? x : u > 0.0f && u < kInf ? result : special;
}

inline float sigmoid(float x) {
  const float e = exp(-__builtin_fabsf(x));
  return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

inline float tanh(float x) {
  const float magnitude = __builtin_fabsf(x);
  const float large = 1.0f - 2.0f / (exp(2.0f * magnitude) + 1.0f);
  const float z = x * x;
  float p = -5.70498872745e-3f;
  p = p * z + 2.06390887954e-2f;
  p = p * z - 5.37397155531e-2f;
  p = p * z + 1.33314422036e-1f;
  p = p * z - 3.33332819422e-1f;
  const float small = p * z * x + x;
  return magnitude < 0.625f ? small : __builtin_copysignf(large, x);
}

/// log(1 + e^x) without overflow or cancellation.
inline float softplus(float x) {
  const float e = exp(-__builtin_fabsf(x));
  return log1p(e) + (x < 0.0f ? 0.0f : x);  // NaN is propagated.
}

}  // namespace tinytf::kernels::TINYTF_ISA
