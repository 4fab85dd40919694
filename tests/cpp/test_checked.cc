#include "base/checked.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

TINYTF_TEST(size_is_a_plain_number_where_it_fits) {
  EXPECT_EQ((Size(3) + 4 * Size(5) - 1).value(), 22);
  EXPECT_EQ((Size(7) / 2).value(), 3);
  EXPECT_EQ((Size(-7) / 2).value(), -3);
  EXPECT_EQ((Size(7) % 4).value(), 3);
  EXPECT_EQ((Size(5) % -1).value(), 0);
  EXPECT_EQ((Size(5) / -1).value(), -5);
  EXPECT(Size(4).within(0, 4));
  EXPECT(!Size(5).within(0, 4));
  EXPECT_EQ((Size(kMost) - 1 + 1).value(), kMost);
}

TINYTF_TEST(size_that_does_not_fit_is_no_size) {
  EXPECT(!(Size(kMost) + 1).ok());
  EXPECT(!(Size(-kMost) - 1).ok());
  EXPECT(!(Size(-kMost) - 2).ok());
  EXPECT(!(Size(int64_t{1} << 32) * (int64_t{1} << 31)).ok());
  EXPECT(!(Size(1) / 0).ok());
  EXPECT(!(Size(1) % 0).ok());
}

TINYTF_TEST(no_size_stays_no_size) {
  Size size = Size(kMost) * 2;
  size *= 0;
  EXPECT(!size.ok());
  size += 1;
  size -= 1;
  EXPECT_EQ(size.value(), Size::kNoSize);
  EXPECT(!(size / 2).ok());
  EXPECT(!(size % 2).ok());
  EXPECT(!size.within(Size::kNoSize, kMost));
}

TINYTF_TEST(ceil_div_rounds_up_and_does_not_wrap) {
  EXPECT_EQ(ceil_div(0, 3).value(), 0);
  EXPECT_EQ(ceil_div(7, 3).value(), 3);
  EXPECT_EQ(ceil_div(kMost, kMost).value(), 1);
  EXPECT_EQ(ceil_div(kMost, 2).value(), kMost / 2 + 1);
  EXPECT(!ceil_div(1, 0).ok());
  EXPECT(!ceil_div(-1, 2).ok());
  EXPECT(!ceil_div(Size::none(), 2).ok());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
