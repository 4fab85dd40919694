#include "base/crc32c.h"

#include <array>
#include <cstring>

#ifdef __x86_64__
#include <nmmintrin.h>
#endif

namespace tinytf {

namespace {

// Checksums are polynomials over two numbers whose bits stand in reverse: the highest bit is the constant.

constexpr uint32_t kPolynomial = 0x82f63b78;
constexpr uint32_t kOne = 0x80000000;
constexpr size_t kAtOnce = 8;  // bytes; each has a table of its own, so that none waits for the other

using Tables = std::array<std::array<uint32_t, 256>, kAtOnce>;

/// Table i has what a byte adds to the checksum when i more bytes follow it.
constexpr Tables make_tables() {
  Tables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (size_t i = 1; i < kAtOnce; ++i) {
    for (size_t byte = 0; byte < 256; ++byte) {
      const uint32_t crc = tables[i - 1][byte];
      tables[i][byte] = (crc >> 8) ^ tables[0][crc & 0xff];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

constexpr uint32_t product(uint32_t a, uint32_t b) {
  uint32_t sum = 0;
  for (uint32_t bit = kOne; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) sum ^= b;
    b = (b >> 1) ^ ((b & 1) != 0 ? kPolynomial : 0);
  }
  return sum;
}

/// What a checksum is multiplied with when `bytes` zeros follow.
constexpr uint32_t factor_of_zeros(uint64_t bytes) {
  uint32_t factor = kOne;
  uint32_t power = kOne >> 8;  // of one byte
  for (; bytes != 0; bytes >>= 1) {
    if ((bytes & 1) != 0) factor = product(factor, power);
    power = product(power, power);
  }
  return factor;
}

#ifdef __x86_64__

// The instruction takes 8 bytes a cycle, but three cycles: three stretches of bytes at a time keep it busy.
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

/// The checksum after another stretch of zeros.
uint32_t after_zeros(uint32_t crc) {
  return kZeros[0][crc & 0xff] ^ kZeros[1][crc >> 8 & 0xff] ^ kZeros[2][crc >> 16 & 0xff] ^ kZeros[3][crc >> 24];
}

uint64_t load(const unsigned char* from) {
  uint64_t value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

__attribute__((target("sse4.2"))) uint32_t by_instruction(const unsigned char* next, size_t bytes, uint32_t crc) {
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

const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;

#endif

}  // namespace

uint32_t crc32c_by_tables(const unsigned char* next, size_t bytes, uint32_t crc) {
  for (; bytes >= kAtOnce; bytes -= kAtOnce, next += kAtOnce) {
    crc = kTables[7][next[0] ^ (crc & 0xff)] ^ kTables[6][next[1] ^ ((crc >> 8) & 0xff)] ^
          kTables[5][next[2] ^ ((crc >> 16) & 0xff)] ^ kTables[4][next[3] ^ (crc >> 24)] ^ kTables[3][next[4]] ^
          kTables[2][next[5]] ^ kTables[1][next[6]] ^ kTables[0][next[7]];
  }
  for (; bytes > 0; --bytes, ++next) crc = (crc >> 8) ^ kTables[0][*next ^ (crc & 0xff)];
  return crc;
}

uint32_t crc32c(const void* data, size_t bytes, uint32_t before) {
  const auto* next = static_cast<const unsigned char*>(data);
#ifdef __x86_64__
  if (has_instruction) return ~by_instruction(next, bytes, ~before);
#endif
  return ~crc32c_by_tables(next, bytes, ~before);
}

uint32_t joined_crc32c(uint32_t before, uint32_t behind, uint64_t bytes) {
  return product(factor_of_zeros(bytes), before) ^ behind;
}

}  // namespace tinytf
