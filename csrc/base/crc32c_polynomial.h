#pragma once

#include <cstdint>

namespace tinytf::crc32c_polynomial {

// A checksum is a polynomial over GF(2) with its bits in reverse order: the highest bit is the constant coefficient.

constexpr uint32_t kPolynomial = 0x82f63b78;
constexpr uint32_t kOne = 0x80000000;

constexpr uint32_t product(uint32_t a, uint32_t b) {
  uint32_t sum = 0;
  for (uint32_t bit = kOne; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) sum ^= b;
    b = (b >> 1) ^ ((b & 1) != 0 ? kPolynomial : 0);
  }
  return sum;
}

constexpr uint32_t power(uint32_t base, uint64_t exponent) {
  uint32_t result = kOne;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = product(result, base);
    base = product(base, base);
  }
  return result;
}

/// The factor by which a checksum is multiplied to append that many zero bits or bytes.
constexpr uint32_t factor_of_zero_bits(uint64_t bits) { return power(kOne >> 1, bits); }
constexpr uint32_t factor_of_zeros(uint64_t bytes) { return power(kOne >> 8, bytes); }

}  // namespace tinytf::crc32c_polynomial
