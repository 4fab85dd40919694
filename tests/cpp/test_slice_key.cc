#include "io/slice_key.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::hex;

std::string ordered(int64_t number) {
  std::string bytes;
  append_ordered_signed(bytes, number);
  return bytes;
}

TINYTF_TEST(signed_numbers_in_ordered_code) {
  EXPECT_EQ(ordered(0), hex("80"));
  EXPECT_EQ(ordered(-1), hex("7f"));
  EXPECT_EQ(ordered(63), hex("bf"));
  EXPECT_EQ(ordered(-64), hex("40"));
  EXPECT_EQ(ordered(64), hex("c040"));
  EXPECT_EQ(ordered(0x424242), hex("f0424242"));
  EXPECT_EQ(ordered(-0x800), hex("3800"));
  EXPECT_EQ(ordered(std::numeric_limits<int64_t>::max()), hex("ffc07fffffffffffffff"));
}

TINYTF_TEST(signed_numbers_sort_as_their_code) {
  std::vector<int64_t> numbers{std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(), 0};
  for (int bit = 0; bit < 63; ++bit) {
    for (const int64_t near : {-1, 0, 1}) {
      numbers.push_back((int64_t{1} << bit) + near);
      numbers.push_back(-(int64_t{1} << bit) + near);
    }
  }
  std::sort(numbers.begin(), numbers.end());
  for (size_t i = 1; i < numbers.size(); ++i) {
    if (numbers[i - 1] < numbers[i]) EXPECT(ordered(numbers[i - 1]) < ordered(numbers[i]));
  }
}

TINYTF_TEST(numbers_and_texts_in_ordered_code) {
  std::string bytes;
  append_ordered(bytes, uint64_t{0});
  append_ordered(bytes, uint64_t{255});
  append_ordered(bytes, uint64_t{256});
  append_ordered(bytes, UINT64_MAX);
  EXPECT_EQ(bytes, hex("00 01ff 020100 08ffffffffffffffff"));
  bytes.clear();
  append_ordered(bytes, std::string_view("a\0b\xff", 4));
  EXPECT_EQ(bytes, hex("61 00ff 62 ff00 0001"));
}

TINYTF_TEST(slices_have_tensorflows_keys) {
  EXPECT_EQ(slice_key("part", TensorSlice::parse("0,5:-").value()), hex("00 70617274 0001 0102 80 85 80 7f"));
  EXPECT_EQ(slice_key("part", TensorSlice::parse("3,2:0,2").value()), hex("00 70617274 0001 0102 83 82 80 82"));
  EXPECT_EQ(slice_key("v", TensorSlice::whole(2)), hex("00 76 0001 0102 807f 807f"));
  EXPECT_EQ(slice_key("i", TensorSlice()), hex("00 69 0001 00"));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
