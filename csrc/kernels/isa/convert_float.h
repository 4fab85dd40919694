#pragma once

#include <cstdint>
#include <cstring>

#include "base/half.h"
#if defined(__F16C__)
#include <immintrin.h>
#endif

// Conversion of rows of half and bfloat16 to and from float, for kernels that compute in float.
namespace tinytf::kernels::TINYTF_ISA {

inline void to_float(const Half* from, int64_t n, float* to) {
  int64_t i = 0;
#if defined(__F16C__)
  for (const int64_t whole = n - n % 8; i < whole; i += 8) {
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
  }
#endif
  for (; i < n; ++i) to[i] = static_cast<float>(from[i]);
}

inline void to_float(const BFloat16* from, int64_t n, float* to) {
  for (int64_t i = 0; i < n; ++i) {
    const uint32_t bits = static_cast<uint32_t>(from[i].bits) << 16;
    std::memcpy(to + i, &bits, sizeof bits);
  }
}

inline void from_float(const float* from, int64_t n, Half* to) {
  int64_t i = 0;
#if defined(__F16C__)
  for (const int64_t whole = n - n % 8; i < whole; i += 8) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
#endif
  for (; i < n; ++i) to[i] = Half(from[i]);
}

inline void from_float(const float* from, int64_t n, BFloat16* to) {
  for (int64_t i = 0; i < n; ++i) {
    uint32_t bits;
    std::memcpy(&bits, from + i, sizeof bits);
    const uint32_t rounded = (bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16;
    const uint32_t nan = (bits >> 16) | 0x0040u;
    to[i].bits = static_cast<uint16_t>((bits & 0x7FFFFFFFu) > 0x7F800000u ? nan : rounded);
  }
}

}  // namespace tinytf::kernels::TINYTF_ISA
