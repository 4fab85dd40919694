#pragma once

#include <cstdint>

#include "base/half.h"
#include "kernels/isa/compiler.h"

#ifdef __F16C__
#include <immintrin.h>
#endif

// Converts blocks of half and bfloat16 to and from float, rounding to nearest even. Out of line and opaque: callers
// pass blocks, and GCC 12 warns about the last loop if it knows their size.

namespace tinytf::kernels::TINYTF_ISA {

/// Elements that one conversion block holds on the stack.
inline constexpr int64_t kFloatBlock = 256;

/// Subnormal halves are normal floats, and no intermediate value is denormal, so they survive the flushing of
/// denormals.
inline float half_bits_to_float(uint16_t half) {
  const uint32_t shifted = static_cast<uint32_t>(half & 0x7FFFu) << 13;
  const uint32_t subnormal = bit_cast<uint32_t>(bit_cast<float>(shifted + 0x38800000u) - 0x1p-14f);
  const uint32_t normal = shifted + (shifted >= 0x0F800000u ? 0x70000000u : 0x38000000u);  // Inf, NaN; others
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  return bit_cast<float>((shifted < 0x00800000u ? subnormal : normal) | sign);
}

inline uint16_t float_to_half_bits(float value) {
  const uint32_t bits = bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  const uint32_t normal = (magnitude + 0xC8000FFFu + ((magnitude >> 13) & 1u)) >> 13;
  const uint32_t subnormal = bit_cast<uint32_t>(bit_cast<float>(magnitude) + 0.5f) - 0x3F000000u;
  const uint32_t special = magnitude > 0x7F800000u ? 0x7E00u : 0x7C00u;
  const uint32_t finite = magnitude < 0x38800000u ? subnormal : normal;
  return static_cast<uint16_t>((magnitude >= 0x47800000u ? special : finite) | ((bits >> 16) & 0x8000u));
}

inline uint16_t float_to_bfloat16_bits(float value) {
  const uint32_t bits = bit_cast<uint32_t>(value);
  const uint32_t rounded = (bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16;
  const uint32_t nan = (bits >> 16) | 0x0040u;
  return static_cast<uint16_t>((bits & 0x7FFFFFFFu) > 0x7F800000u ? nan : rounded);
}

TINYTF_OPAQUE inline void load_floats(const Half* x, float* y, int64_t n) {
  const auto* bits = reinterpret_cast<const uint16_t*>(x);
  int64_t i = 0;
#ifdef __F16C__
  for (; i + 8 <= n; i += 8) {
    _mm256_storeu_ps(y + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bits + i))));
  }
#endif
  for (; i < n; ++i) y[i] = half_bits_to_float(bits[i]);
}

TINYTF_OPAQUE inline void store_floats(const float* x, Half* y, int64_t n) {
  auto* bits = reinterpret_cast<uint16_t*>(y);
  int64_t i = 0;
#ifdef __F16C__
  for (; i + 8 <= n; i += 8) {
    const __m128i halves = _mm256_cvtps_ph(_mm256_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(bits + i), halves);
  }
#endif
  for (; i < n; ++i) bits[i] = float_to_half_bits(x[i]);
}

TINYTF_OPAQUE inline void load_floats(const BFloat16* x, float* y, int64_t n) {
  const auto* bits = reinterpret_cast<const uint16_t*>(x);
  for (int64_t i = 0; i < n; ++i) y[i] = bit_cast<float>(static_cast<uint32_t>(bits[i]) << 16);
}

TINYTF_OPAQUE inline void store_floats(const float* x, BFloat16* y, int64_t n) {
  auto* bits = reinterpret_cast<uint16_t*>(y);
  for (int64_t i = 0; i < n; ++i) bits[i] = float_to_bfloat16_bits(x[i]);
}

}  // namespace tinytf::kernels::TINYTF_ISA
