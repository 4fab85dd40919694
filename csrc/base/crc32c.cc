#include "base/crc32c.h"

#include <array>

#include "base/crc32c_polynomial.h"
#include "base/crc32c_x86.h"

namespace tinytf {

namespace {

using crc32c_polynomial::kPolynomial;

constexpr size_t kAtOnce = 8;  // bytes per round; each has its own table, so that the lookups are independent

using Tables = std::array<std::array<uint32_t, 256>, kAtOnce>;

/// Table i maps a byte to its contribution to the checksum when i more bytes follow it.
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

uint32_t by_tables(const unsigned char* next, size_t bytes, uint32_t crc) {
  for (; bytes >= kAtOnce; bytes -= kAtOnce, next += kAtOnce) {
    crc = kTables[7][next[0] ^ (crc & 0xff)] ^ kTables[6][next[1] ^ ((crc >> 8) & 0xff)] ^
          kTables[5][next[2] ^ ((crc >> 16) & 0xff)] ^ kTables[4][next[3] ^ (crc >> 24)] ^ kTables[3][next[4]] ^
          kTables[2][next[5]] ^ kTables[1][next[6]] ^ kTables[0][next[7]];
  }
  for (; bytes > 0; --bytes, ++next) crc = (crc >> 8) ^ kTables[0][*next ^ (crc & 0xff)];
  return crc;
}

}  // namespace

std::vector<Crc32cWay> crc32c_ways() {
  std::vector<Crc32cWay> ways = crc32c_ways_of_x86();
  ways.push_back(by_tables);
  return ways;
}

namespace {
const Crc32cWay fastest_way = crc32c_ways().front();
}

uint32_t crc32c(const void* data, size_t bytes, uint32_t before) {
  return ~fastest_way(static_cast<const unsigned char*>(data), bytes, ~before);
}

uint32_t joined_crc32c(uint32_t before, uint32_t behind, uint64_t bytes) {
  return crc32c_polynomial::product(crc32c_polynomial::factor_of_zeros(bytes), before) ^ behind;
}

}  // namespace tinytf
