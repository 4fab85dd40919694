#include "io/fixed_int.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(fixed_integers_have_their_lowest_byte_first) {
  std::string bytes;
  append_fixed(bytes, uint32_t{0x01020384});
  append_fixed(bytes, uint64_t{0x8102030405060708});
  EXPECT_EQ(bytes, std::string("\x84\x03\x02\x01\x08\x07\x06\x05\x04\x03\x02\x81"));
  EXPECT_EQ(read_fixed<uint32_t>(bytes.data()), 0x01020384u);
  EXPECT_EQ(read_fixed<uint64_t>(bytes.data() + 4), 0x8102030405060708u);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
