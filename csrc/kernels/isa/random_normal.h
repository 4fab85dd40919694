#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

// Box–Muller on blocks of words. The loops over floats are plain scalar code that the compiler vectorizes, so they have
// no branches and no library calls; their results are bit-identical to TensorFlow's, which calls the C library.
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

/// Number of pairs of normal variates that go through the passes of normal_block() together.
inline constexpr int kNormalPairs = 256;

// Logarithm, sine and cosine of floats, operation for operation as in glibc since 2.28, because the bits of
// TensorFlow's normal variates depend on them. The constants are from Arm's Optimized Routines. Tests compare the
// functions with the C library for every possible uniform number.

/// 1 / c and ln(c) for numbers c in the middle of sixteen pieces of [0x1.66p-1, 0x1.66p+0).
struct LogPieces {
  double inverse[16] = {
      0x1.661ec79f8f3bep+0, 0x1.571ed4aaf883dp+0, 0x1.49539f0f010bp+0,  0x1.3c995b0b80385p+0, 0x1.30d190c8864a5p+0,
      0x1.25e227b0b8eap+0,  0x1.1bb4a4a1a343fp+0, 0x1.12358f08ae5bap+0, 0x1.0953f419900a7p+0, 0x1p+0,
      0x1.e608cfd9a47acp-1, 0x1.ca4b31f026aap-1,  0x1.b2036576afce6p-1, 0x1.9c2d163a1aa2dp-1, 0x1.886e6037841edp-1,
      0x1.767dcf5534862p-1};
  double log[16] = {
      -0x1.57bf7808caadep-2, -0x1.2bef0a7c06ddbp-2, -0x1.01eae7f513a67p-2, -0x1.b31d8a68224e9p-3, -0x1.6574f0ac07758p-3,
      -0x1.1aa2bc79c81p-3,   -0x1.a4e76ce8c0e5ep-4, -0x1.1973c5a611cccp-4, -0x1.252f438e10c1ep-5, 0x0p+0,
      0x1.aa5aa5df25984p-5,  0x1.c5e53aa362eb4p-4,  0x1.526e57720db08p-3,  0x1.bc2860d22477p-3,   0x1.1058bc8a07ee1p-2,
      0x1.4043057b6ee09p-2};
};
inline constexpr LogPieces kLogPieces;

/// A positive normal float as 2^exponent * mantissa, the mantissa in piece number `piece`.
struct LogParts {
  int32_t piece;
  float mantissa, exponent;
};

static inline LogParts log_parts(float x) {
  const int32_t bits = random_bits<int32_t>(x), offset = bits - 0x3F330000;
  const int32_t exponent = offset >> 23;
  const auto shifted = static_cast<int32_t>(static_cast<uint32_t>(exponent) << 23);
  return {(offset >> 19) & 15, random_bits<float>(bits - shifted), static_cast<float>(exponent)};
}

static inline float log_from(const LogParts& parts) {
  const double r = static_cast<double>(parts.mantissa) * kLogPieces.inverse[parts.piece] - 1;
  const double whole = kLogPieces.log[parts.piece] + static_cast<double>(parts.exponent) * 0x1.62e42fefa39efp-1;
  const double square = r * r;
  double p = 0x1.5575b0be00b6ap-2 * r - 0x1.ffffef20a4123p-2;
  p = -0x1.00ea348b88334p-2 * square + p;
  return static_cast<float>(p * square + (whole + r));
}

/// Sine and cosine of `v` minus `quarter` quarter turns. The difference must be at most an eighth of a turn.
static inline void sine_and_cosine(float v, int32_t quarter, float* sine, float* cosine) {
  const double r = static_cast<double>(v) - quarter * 0x1.921fb54442d18p+0;
  const double z = r * r, cube = z * r, fourth = z * z;
  const double late_sine = 0x1.1107605230bc4p-7 + z * -0x1.994eb3774cf24p-13;
  const double late_cosine = -0x1.6c087e89a359dp-10 + z * 0x1.99343027bf8c3p-16;
  const double early_cosine = 1.0 + z * -0x1.ffffffd0c621cp-2;
  *sine = static_cast<float>((r + cube * -0x1.555545995a603p-3) + cube * z * late_sine);
  *cosine = static_cast<float>((early_cosine + fourth * 0x1.55553e1068f19p-5) + fourth * z * late_cosine);
}

/// Makes `pairs` <= kNormalPairs pairs of normal variates from two words each, in passes that each vectorize.
static inline void normal_pairs(const uint32_t* __restrict words, int pairs, float* __restrict out) {
  alignas(64) float radius[kNormalPairs], turn[kNormalPairs], angle[kNormalPairs];
  alignas(64) float mantissa[kNormalPairs], exponent[kNormalPairs];
  alignas(64) int32_t piece[kNormalPairs], quarter[kNormalPairs];
  for (int i = 0; i < pairs; ++i) {
    const float uniform = uniform_float(words[2 * i]);
    const LogParts parts = log_parts(uniform < 1e-7f ? 1e-7f : uniform);
    piece[i] = parts.piece;
    mantissa[i] = parts.mantissa;
    exponent[i] = parts.exponent;
    turn[i] = uniform_float(words[2 * i + 1]);
  }
  for (int i = 0; i < pairs; ++i) radius[i] = log_from({piece[i], mantissa[i], exponent[i]});
  for (int i = 0; i < pairs; ++i) radius[i] = __builtin_sqrtf(-2.0f * radius[i]);
  for (int i = 0; i < pairs; ++i) angle[i] = static_cast<float>(6.283185307179586 * static_cast<double>(turn[i]));
  for (int i = 0; i < pairs; ++i) {
    quarter[i] = static_cast<int32_t>(static_cast<double>(angle[i]) * 0x1.45f306dc9c883p-1 + 0.5);
  }
  float* const sines = mantissa;  // Reuses buffers that are no longer needed.
  float* const cosines = exponent;
  for (int i = 0; i < pairs; ++i) sine_and_cosine(angle[i], quarter[i], sines + i, cosines + i);
  for (int i = 0; i < pairs; ++i) {
    const auto turns = static_cast<uint32_t>(quarter[i]);
    const uint32_t odd = 0u - (turns & 1u);
    const uint32_t s = random_bits<uint32_t>(sines[i]), c = random_bits<uint32_t>(cosines[i]);
    const uint32_t sine = ((s & ~odd) | (c & odd)) ^ ((turns & 2u) << 30);
    const uint32_t cosine = ((c & ~odd) | (s & odd)) ^ (((turns + 1u) & 2u) << 30);
    out[2 * i] = random_bits<float>(sine) * radius[i];
    out[2 * i + 1] = random_bits<float>(cosine) * radius[i];
  }
}

/// Two independent normal variates from four words.
static inline void box_muller(uint32_t x0, uint32_t x1, uint32_t x2, uint32_t x3, double* first, double* second) {
  const double uniform = uniform_double(x0, x1);
  const double radius = std::sqrt(-2.0 * std::log(uniform < 1e-7 ? 1e-7 : uniform));
  const double v = 6.283185307179586 * uniform_double(x2, x3);
  *first = std::sin(v) * radius;
  *second = std::cos(v) * radius;
}

/// n normal variates from n words; n is a multiple of 4.
static inline void normal_block(const uint32_t* __restrict words, int n, float* __restrict out) {
  for (int i = 0; i < n; i += 2 * kNormalPairs) {
    normal_pairs(words + i, (n - i < 2 * kNormalPairs ? n - i : 2 * kNormalPairs) / 2, out + i);
  }
}

/// n / 2 normal variates from n words.
static inline void normal_block(const uint32_t* words, int n, double* out) {
  for (int i = 0; i < n; i += 4) {
    box_muller(words[i], words[i + 1], words[i + 2], words[i + 3], out + i / 2, out + i / 2 + 1);
  }
}

}  // namespace tinytf::kernels::TINYTF_ISA
