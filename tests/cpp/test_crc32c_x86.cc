#include "base/crc32c_x86.h"

#include <vector>

#include "base/crc32c.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(ways_of_crc32c_agree) {
  std::vector<unsigned char> bytes;
  uint32_t random = 7;
  for (int i = 0; i < 20000; ++i) {
    bytes.push_back(static_cast<unsigned char>((random = random * 1664525 + 1013904223) >> 24));
  }
  std::vector<size_t> lengths{0, 1, 15, 3071, 3072, 3073, 6144, 9215, 9216, 9300, 19999};
  for (size_t length = 900; length < 2600; length += 17) lengths.push_back(length);
  const Crc32cWay by_tables = crc32c_ways().back();
  for (const size_t length : lengths) {
    // A separate vector, so that AddressSanitizer detects reads beyond its end.
    const std::vector<unsigned char> part(bytes.begin() + 1, bytes.begin() + 1 + static_cast<std::ptrdiff_t>(length));
    const size_t half = length / 2;
    const uint32_t expected = by_tables(part.data(), length, ~0u);
    for (const Crc32cWay way : crc32c_ways_of_x86()) {
      EXPECT_EQ(way(part.data(), length, ~0u), expected);
      EXPECT_EQ(way(part.data() + half, length - half, way(part.data(), half, ~0u)), expected);
    }
  }
}

TINYTF_TEST(tables_are_the_last_way_of_crc32c) {
  EXPECT_EQ(crc32c_ways().size(), crc32c_ways_of_x86().size() + 1);
  const unsigned char digits[] = "123456789";
  EXPECT_EQ(~crc32c_ways().back()(digits, 9, ~0u), 0xe3069283u);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
