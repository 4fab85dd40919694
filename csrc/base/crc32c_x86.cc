#include "base/crc32c_x86.h"

#ifdef __x86_64__

#include <immintrin.h>

#include <array>
#include <cstring>

#include "base/crc32c_polynomial.h"

// For newer versions of clang the checksum's instruction is a feature beside SSE 4.2.
#if defined(__clang__) && __clang_major__ >= 14
#define TINYTF_SSE42 "sse4.2,crc32"
#else
#define TINYTF_SSE42 "sse4.2"
#endif

namespace tinytf {

namespace {

using crc32c_polynomial::factor_of_zero_bits, crc32c_polynomial::factor_of_zeros, crc32c_polynomial::product;

// The instruction takes 8 bytes per cycle but has a latency of three cycles, so three independent streams keep it busy.
constexpr size_t kStretch = 1024;

using ZerosTable = std::array<std::array<uint32_t, 256>, 4>;
constexpr ZerosTable make_zeros_table(size_t bytes) {
  ZerosTable table{};
  const uint32_t factor = factor_of_zeros(bytes);
  for (size_t i = 0; i < 4; ++i) {
    for (uint32_t byte = 0; byte < 256; ++byte) table[i][byte] = product(factor, byte << (8 * i));
  }
  return table;
}
constexpr ZerosTable kZeros = make_zeros_table(kStretch);

/// Returns the checksum after kStretch more zero bytes.
uint32_t after_zeros(uint32_t crc) {
  return kZeros[0][crc & 0xff] ^ kZeros[1][crc >> 8 & 0xff] ^ kZeros[2][crc >> 16 & 0xff] ^ kZeros[3][crc >> 24];
}

uint64_t load(const unsigned char* from) {
  uint64_t value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

__attribute__((target(TINYTF_SSE42))) uint32_t by_instruction(const unsigned char* next, size_t bytes, uint32_t crc) {
  for (; bytes >= 3 * kStretch; bytes -= 3 * kStretch, next += 3 * kStretch) {
    uint64_t first = crc, second = 0, third = 0;
    for (size_t i = 0; i < kStretch; i += 8) {
      first = _mm_crc32_u64(first, load(next + i));
      second = _mm_crc32_u64(second, load(next + kStretch + i));
      third = _mm_crc32_u64(third, load(next + 2 * kStretch + i));
    }
    crc = after_zeros(static_cast<uint32_t>(first)) ^ static_cast<uint32_t>(second);
    crc = after_zeros(crc) ^ static_cast<uint32_t>(third);
  }
  uint64_t rest = crc;
  for (; bytes >= 8; bytes -= 8, next += 8) rest = _mm_crc32_u64(rest, load(next));
  crc = static_cast<uint32_t>(rest);
  for (; bytes > 0; --bytes, ++next) crc = _mm_crc32_u8(crc, *next);
  return crc;
}

// Folding adds a 128-bit number to another one that lies some bytes later: each half is multiplied by the factor that
// shifts it there, so that the sum has the same checksum in fewer bytes. A carry-less product is one bit shorter than
// its register, hence the shift.

struct FoldFactors {
  uint64_t lower, upper;
};
constexpr FoldFactors fold_factors(uint64_t bytes) {
  return {uint64_t{factor_of_zero_bits(8 * bytes + 32)} << 1, uint64_t{factor_of_zero_bits(8 * bytes - 32)} << 1};
}

constexpr size_t kVector = 64;
constexpr size_t kBlock = 4 * kVector;  // four independent vectors keep the multiplier busy
constexpr size_t kWorthFolding = 4 * kBlock;
constexpr FoldFactors kBlockFactors = fold_factors(kBlock), kVectorFactors = fold_factors(kVector);

#define TINYTF_FOLDING __attribute__((target("avx512f,vpclmulqdq," TINYTF_SSE42)))

TINYTF_FOLDING inline __m512i in_all_lanes(FoldFactors factors) {
  const auto lower = static_cast<int64_t>(factors.lower), upper = static_cast<int64_t>(factors.upper);
  return _mm512_set_epi64(upper, lower, upper, lower, upper, lower, upper, lower);
}

TINYTF_FOLDING inline __m512i folded(__m512i number, __m512i factors, __m512i onto) {
  constexpr int kLower = 0x00, kUpper = 0x11;
  const __m512i lower = _mm512_clmulepi64_epi128(number, factors, kLower);
  return _mm512_xor_si512(_mm512_xor_si512(lower, onto), _mm512_clmulepi64_epi128(number, factors, kUpper));
}

TINYTF_FOLDING uint32_t by_folding(const unsigned char* next, size_t bytes, uint32_t crc) {
  if (bytes < kWorthFolding) return by_instruction(next, bytes, crc);
  const __m512i block = in_all_lanes(kBlockFactors), vector = in_all_lanes(kVectorFactors);
  __m512i a = _mm512_loadu_si512(next), b = _mm512_loadu_si512(next + kVector),
          c = _mm512_loadu_si512(next + 2 * kVector), d = _mm512_loadu_si512(next + 3 * kVector);
  a = _mm512_xor_si512(a, _mm512_set_epi64(0, 0, 0, 0, 0, 0, 0, crc));
  for (bytes -= kBlock, next += kBlock; bytes >= kBlock; bytes -= kBlock, next += kBlock) {
    a = folded(a, block, _mm512_loadu_si512(next));
    b = folded(b, block, _mm512_loadu_si512(next + kVector));
    c = folded(c, block, _mm512_loadu_si512(next + 2 * kVector));
    d = folded(d, block, _mm512_loadu_si512(next + 3 * kVector));
  }
  unsigned char sum[kVector];
  _mm512_storeu_si512(sum, folded(folded(folded(a, vector, b), vector, c), vector, d));
  return by_instruction(next, bytes, by_instruction(sum, sizeof sum, 0));
}

#undef TINYTF_FOLDING

}  // namespace

std::vector<Crc32cWay> crc32c_ways_of_x86() {
  std::vector<Crc32cWay> ways;
  if (__builtin_cpu_supports("sse4.2") == 0) return ways;
  if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("vpclmulqdq") != 0) ways.push_back(by_folding);
  ways.push_back(by_instruction);
  return ways;
}

}  // namespace tinytf

#else

namespace tinytf {
std::vector<Crc32cWay> crc32c_ways_of_x86() { return {}; }
}  // namespace tinytf

#endif
