#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

// Box–Muller on blocks of words. The float loop is plain scalar code that the compiler turns into vectors, so it holds
// no branch and no library call; its logarithm, sine and cosine are good to about one unit in the last place.
namespace tinytf::kernels::TINYTF_ISA {

template <class To, class From>
static inline To random_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// Half and bfloat16 are computed as float.
template <class T>
using Real = std::conditional_t<sizeof(T) == 8, double, float>;

static inline float uniform_float(uint32_t word) { return random_bits<float>((word & 0x7FFFFFu) | 0x3F800000u) - 1.0f; }

static inline double uniform_double(uint32_t high, uint32_t low) {
  const uint64_t bits = uint64_t{0x3FF} << 52 | static_cast<uint64_t>(high & 0xFFFFFu) << 32 | low;
  return random_bits<double>(bits) - 1.0;
}

/// ln(x) of a normal positive number: x = 2^e * (1 + f), 1 + f in [sqrt(1/2), sqrt(2)).
static inline float log_positive(float x) {
  const int32_t bits = random_bits<int32_t>(x);
  const int32_t exponent = (bits - 0x3F3504F3) >> 23;
  const float f = random_bits<float>(bits - exponent * (1 << 23)) - 1.0f;
  const float e = static_cast<float>(exponent);
  float p = -0.0785954587f;
  p = p * f + 0.128816224f;
  p = p * f - 0.131287676f;
  p = p * f + 0.141811961f;
  p = p * f - 0.166245531f;
  p = p * f + 0.200022861f;
  p = p * f - 0.250008104f;
  p = p * f + 0.333333167f;
  const float square = f * f;
  const float tail = square * f * p - 0.5f * square + e * 1.42860682e-06f;
  return (tail + f) + e * 0x1.62e4p-1f;
}

/// Two independent normal variates from two words.
static inline void box_muller(uint32_t x0, uint32_t x1, float* first, float* second) {
  const float uniform = uniform_float(x0);
  const float u = uniform < 1e-7f ? 1e-7f : uniform;
  const float radius = __builtin_sqrtf(-2.0f * log_positive(u));
  const float v = static_cast<float>(6.283185307179586 * static_cast<double>(uniform_float(x1)));
  // v is in [0, 2 pi): at most four quarter turns, whose products with the pieces of pi/2 are exact.
  const int32_t quarter = static_cast<int32_t>(v * 0.636619772f + 0.5f);
  const float q = static_cast<float>(quarter);
  const float r = ((v - q * 0x1.921fap+0f) - q * 0x1.54442p-20f) - q * 0x1.a308d4p-41f;
  const float z = r * r;
  const float s = r + r * z * (-0.166666549f + z * (0.00833217768f - z * 0.000195172336f));
  const float c = 1.0f - 0.5f * z + z * z * (0.0416666469f + z * (-0.00138873669f + z * 2.44383776e-05f));
  const uint32_t odd = 0u - (static_cast<uint32_t>(quarter) & 1u);
  const uint32_t s_bits = random_bits<uint32_t>(s), c_bits = random_bits<uint32_t>(c);
  const uint32_t sine = ((s_bits & ~odd) | (c_bits & odd)) ^ ((static_cast<uint32_t>(quarter) & 2u) << 30);
  const uint32_t cosine = ((c_bits & ~odd) | (s_bits & odd)) ^ (((static_cast<uint32_t>(quarter) + 1u) & 2u) << 30);
  *first = random_bits<float>(sine) * radius;
  *second = random_bits<float>(cosine) * radius;
}

static inline void box_muller(uint32_t x0, uint32_t x1, uint32_t x2, uint32_t x3, double* first, double* second) {
  const double uniform = uniform_double(x0, x1);
  const double radius = std::sqrt(-2.0 * std::log(uniform < 1e-7 ? 1e-7 : uniform));
  const double v = 6.283185307179586 * uniform_double(x2, x3);
  *first = std::sin(v) * radius;
  *second = std::cos(v) * radius;
}

/// n normal variates from n words; n is a multiple of 4.
static inline void normal_block(const uint32_t* __restrict words, int n, float* __restrict out) {
  for (int i = 0; i < n; i += 2) box_muller(words[i], words[i + 1], out + i, out + i + 1);
}

/// n / 2 normal variates from n words.
static inline void normal_block(const uint32_t* words, int n, double* out) {
  for (int i = 0; i < n; i += 4) {
    box_muller(words[i], words[i + 1], words[i + 2], words[i + 3], out + i / 2, out + i / 2 + 1);
  }
}

}  // namespace tinytf::kernels::TINYTF_ISA
