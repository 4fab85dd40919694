#include "io/byte_order.h"

#include <cstdint>
#include <string>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

std::string swapped(std::string bytes, DType dtype) {
  swap_bytes(bytes.data(), bytes.size(), dtype);
  return bytes;
}

TINYTF_TEST(numbers_are_turned_around_one_by_one) {
  EXPECT_EQ(swapped("12345678", DType::kInt8), "12345678");
  EXPECT_EQ(swapped("12345678", DType::kHalf), "21436587");
  EXPECT_EQ(swapped("12345678", DType::kFloat), "43218765");
  EXPECT_EQ(swapped("12345678", DType::kComplex64), "43218765");
  EXPECT_EQ(swapped("12345678", DType::kInt64), "87654321");
  EXPECT_EQ(swapped("12345678abcdefgh", DType::kComplex128), "87654321hgfedcba");
  EXPECT_EQ(swapped("1234", DType::kBool), "1234");
}

TINYTF_TEST(the_processors_byte_order_is_known) {
  const uint32_t number = 0x01020304;
  const char first = *reinterpret_cast<const char*>(&number);
  EXPECT_EQ(processor_is_big_endian(), first == 1);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
