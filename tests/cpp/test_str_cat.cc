#include "base/str_cat.h"

#include <limits>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(str_cat_joins_texts_and_numbers) {
  EXPECT_EQ(str_cat(), "");
  EXPECT_EQ(str_cat("a", std::string("b"), std::string_view("cd", 1), 'e'), "abce");
  EXPECT_EQ(str_cat(1, ", ", -2, ", ", size_t{3}), "1, -2, 3");
  EXPECT_EQ(str_cat(true, ' ', false), "true false");
  EXPECT_EQ(str_cat(std::string("a\0b", 3)).size(), size_t{3});
}

TINYTF_TEST(str_cat_of_small_integers_is_not_of_characters) {
  EXPECT_EQ(str_cat(int8_t{-5}, " ", uint8_t{65}, " ", int16_t{66}), "-5 65 66");
  EXPECT_EQ(str_cat(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(str_cat(std::numeric_limits<uint64_t>::max()), "18446744073709551615");
}

TINYTF_TEST(str_cat_of_reals_reads_back) {
  EXPECT_EQ(str_cat(0.5f, " ", 0.1, " ", 0.1f, " ", 3.0), "0.5 0.1 0.1 3");
  EXPECT_EQ(str_cat(1e30, " ", -2.5e-9f), "1e+30 -2.5e-09");
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(str_cat(infinity, " ", -infinity, " ", std::numeric_limits<float>::quiet_NaN()), "inf -inf nan");
  EXPECT_EQ(std::stod(str_cat(1.0 / 3)), 1.0 / 3);
}

TINYTF_TEST(str_join_separates_formatted_items) {
  const auto plain = [](int item) { return str_cat("<", item, ">"); };
  EXPECT_EQ(str_join(std::vector<int>{1, 2, 3}, ", ", plain), "<1>, <2>, <3>");
  EXPECT_EQ(str_join(std::vector<int>{1}, ", ", plain), "<1>");
  EXPECT_EQ(str_join(std::vector<int>(), ", ", plain), "");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
