#pragma once

#include <cstdint>
#include <cstring>

namespace tinytf {

namespace detail {

template <class To, class From>
inline To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// Converts binary32 to IEEE binary16, rounding to nearest even. A NaN becomes a quiet NaN.
inline uint16_t half_from_float(float value) {
  const uint32_t bits = bits_as<uint32_t>(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude >= 0x47800000u) {  // overflows half, or Inf or NaN
    return static_cast<uint16_t>(sign | (magnitude > 0x7F800000u ? 0x7E00u : 0x7C00u));
  }
  if (magnitude < 0x38800000u) {  // subnormal half: let the float adder round
    const float shifted = bits_as<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (bits_as<uint32_t>(shifted) - 0x3F000000u));
  }
  const uint32_t odd = (magnitude >> 13) & 1u;
  return static_cast<uint16_t>(sign | ((magnitude + 0xC8000FFFu + odd) >> 13));
}

inline float half_to_float(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  uint32_t bits = static_cast<uint32_t>(half & 0x7FFFu) << 13;
  const uint32_t exponent = bits & 0x0F800000u;
  if (exponent == 0x0F800000u) {
    bits += 0x70000000u;  // Inf, NaN
  } else if (exponent == 0) {
    bits = bits_as<uint32_t>(bits_as<float>(bits + 0x38800000u) - bits_as<float>(0x38800000u));
  } else {
    bits += 0x38000000u;
  }
  return bits_as<float>(bits | sign);
}

inline uint16_t bfloat16_from_float(float value) {
  const uint32_t bits = bits_as<uint32_t>(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return static_cast<uint16_t>((bits >> 16) | 0x0040u);
  return static_cast<uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

}  // namespace detail

/// IEEE 754 binary16 storage. Arithmetic goes through float: load, compute, store.
struct Half {
  uint16_t bits = 0;
  Half() = default;
  explicit Half(float value) : bits(detail::half_from_float(value)) {}
  explicit operator float() const { return detail::half_to_float(bits); }
};

/// The upper 16 bits of an IEEE binary32. Arithmetic goes through float.
struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  explicit BFloat16(float value) : bits(detail::bfloat16_from_float(value)) {}
  explicit operator float() const { return detail::bits_as<float>(static_cast<uint32_t>(bits) << 16); }
};

}  // namespace tinytf
