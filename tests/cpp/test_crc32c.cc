#include "base/crc32c.h"

#include <string>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

uint32_t crc32c_of(const std::string& text) { return crc32c(text.data(), text.size()); }

/// Computes CRC-32C by its definition, bit by bit.
uint32_t slow_crc32c(const std::vector<unsigned char>& bytes) {
  uint32_t crc = 0xffffffff;
  for (const unsigned char byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78 : 0);
  }
  return ~crc;
}

TINYTF_TEST(crc32c_has_the_published_values) {
  EXPECT_EQ(crc32c_of(""), 0u);
  EXPECT_EQ(crc32c_of("123456789"), 0xe3069283u);
  // RFC 3720, B.4
  EXPECT_EQ(crc32c_of(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c_of(std::string(32, '\xff')), 0x62a8ab43u);
  std::string up, down;
  for (int i = 0; i < 32; ++i) {
    up += static_cast<char>(i);
    down += static_cast<char>(31 - i);
  }
  EXPECT_EQ(crc32c_of(up), 0x46dd794eu);
  EXPECT_EQ(crc32c_of(down), 0x113fdb5cu);
}

TINYTF_TEST(crc32c_of_any_length_at_any_address) {
  std::vector<unsigned char> bytes;
  uint32_t random = 1;
  for (int i = 0; i < 100; ++i)
    bytes.push_back(static_cast<unsigned char>((random = random * 1664525 + 1013904223) >> 24));
  for (size_t from = 0; from < 9; ++from) {
    for (size_t length = 0; from + length <= bytes.size(); ++length) {
      const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(from);
      const std::vector<unsigned char> part(first, first + static_cast<std::ptrdiff_t>(length));
      EXPECT_EQ(crc32c(bytes.data() + from, length), slow_crc32c(part));
    }
  }
}

TINYTF_TEST(crc32c_goes_on_where_another_ended) {
  const std::string text = "one piece after another";
  for (size_t i = 0; i <= text.size(); ++i) {
    EXPECT_EQ(crc32c(text.data() + i, text.size() - i, crc32c(text.data(), i)), crc32c_of(text));
  }
}

TINYTF_TEST(crc32c_of_long_memory) {
  std::vector<unsigned char> bytes;
  uint32_t random = 7;
  for (int i = 0; i < 20000; ++i)
    bytes.push_back(static_cast<unsigned char>((random = random * 1664525 + 1013904223) >> 24));
  for (const size_t length : {3071, 3072, 3073, 6144, 9215, 9216, 9300, 19999}) {
    const std::vector<unsigned char> part(bytes.begin() + 1, bytes.begin() + 1 + static_cast<std::ptrdiff_t>(length));
    EXPECT_EQ(crc32c(bytes.data() + 1, length), slow_crc32c(part));
  }
}

TINYTF_TEST(crc32cs_are_joined) {
  const std::string text = "one piece after another, and more of them than the first factors can be of";
  for (size_t i = 0; i <= text.size(); ++i) {
    const uint32_t before = crc32c(text.data(), i), behind = crc32c(text.data() + i, text.size() - i);
    EXPECT_EQ(joined_crc32c(before, behind, text.size() - i), crc32c_of(text));
  }
  const std::string zeros(1 << 20, '\0');
  EXPECT_EQ(joined_crc32c(crc32c_of("x"), crc32c_of(zeros), zeros.size()), crc32c_of("x" + zeros));
}

TINYTF_TEST(masked_checksums_are_unmasked) {
  for (const uint32_t crc : {0u, 1u, 0xe3069283u, 0xffffffffu, 0xdd54c4abu}) EXPECT_EQ(unmask_crc(mask_crc(crc)), crc);
}

TINYTF_TEST(stored_checksums_are_masked) {
  EXPECT_EQ(mask_crc(0), 0xa282ead8u);
  EXPECT_EQ(mask_crc(0xe3069283), 0xc78ab0e5u);
  const float one = 1;
  EXPECT_EQ(masked_crc32c(&one, sizeof one), 0x2bdaa581u);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
