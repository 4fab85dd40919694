#include "io/snappy.h"

#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::hex;

TINYTF_TEST(snappy_literals_and_copies) {
  EXPECT_EQ(snappy_decoded(hex("00")).value(), "");
  EXPECT_EQ(snappy_decoded(hex("03 08 616263")).value(), "abc");
  EXPECT_EQ(snappy_decoded(hex("09 08 616263 09 03")).value(), "abcabcabc");     // 1-byte offset, overlapping
  EXPECT_EQ(snappy_decoded(hex("06 08 616263 0a 0300")).value(), "abcabc");      // 2-byte offset
  EXPECT_EQ(snappy_decoded(hex("06 08 616263 0b 03000000")).value(), "abcabc");  // 4-byte offset
  EXPECT_EQ(snappy_decoded(hex("03 f0 02 616263")).value(), "abc");              // the length in a separate byte
  EXPECT_EQ(snappy_decoded(hex("40 00 61 fa 0100")).value(), std::string(64, 'a'));
}

TINYTF_TEST(snappy_damage_is_seen) {
  for (const char* bytes :
       {"", "80", "03 08 6162", "02 08 616263", "04 08 616263", "09 08 616263 09 04", "09 08 616263 09 00", "03 f0",
        "06 08 616263 0a 03", "ffffffff0f 08 616263", "ffffffffffffffff7f 00 61"}) {
    EXPECT(!snappy_decoded(hex(bytes)).has_value());
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
