#include "base/number_text.h"

#include <clocale>
#include <cmath>
#include <limits>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(number_text_has_as_many_digits_as_read_back) {
  EXPECT_EQ(number_text(0.1f), "0.1");
  EXPECT_EQ(number_text(1.0f / 3), "0.333333343");
  EXPECT_EQ(number_text(1.0 / 3), "0.33333333333333331");
  EXPECT_EQ(number_text(1e5f), "100000");
  EXPECT_EQ(number_text(1e6f), "1e+06");
  EXPECT_EQ(number_text(1e6), "1000000");
  EXPECT_EQ(number_text(-2.5e-9), "-2.5e-09");
  EXPECT_EQ(number_text(-0.0), "-0");
  EXPECT_EQ(number_text(std::numeric_limits<double>::denorm_min()), "4.94065645841247e-324");
  EXPECT_EQ(number_text(std::numeric_limits<float>::denorm_min()), "1.4013e-45");
  EXPECT_EQ(number_text(std::numeric_limits<float>::max()), "3.40282347e+38");
  EXPECT_EQ(number_text(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
}

TINYTF_TEST(number_text_of_what_is_not_finite) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(number_text(infinity) + number_text(-infinity), "inf-inf");
  EXPECT_EQ(number_text(-std::numeric_limits<float>::quiet_NaN()), "nan");
}

TINYTF_TEST(shortest_text_is_pythons) {
  for (const auto& [value, text] : {std::pair{0.1f, "0.1"},
                                    {1.0f, "1.0"},
                                    {-0.0f, "-0.0"},
                                    {0.0f, "0.0"},
                                    {1e-5f, "1e-05"},
                                    {1.5e-4f, "0.00015"},
                                    {-2.5e-9f, "-2.5e-09"},
                                    {1e16f, "1e+16"},
                                    {1e15f, "1000000000000000.0"},
                                    {16777216.0f, "16777216.0"},
                                    {1.0f / 3, "0.33333334"},
                                    {123456.79f, "123456.79"},
                                    {3.4028235e38f, "3.4028235e+38"},
                                    {1e-45f, "1.4013e-45"},
                                    {0.0001f, "0.0001"},
                                    {9.9e37f, "9.9e+37"}}) {
    EXPECT_EQ(shortest_text(value), std::string(text));
  }
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(shortest_text(infinity) + shortest_text(-infinity) + shortest_text(std::nanf("")), "inf-infnan");
}

TINYTF_TEST(take_number_leaves_what_follows) {
  float value = 0;
  for (const auto& [text, rest] : {std::pair{"0.5, 1", ", 1"}, {"-1e-4]", "]"}, {"1e-40,", ","}, {"7", ""}}) {
    std::string_view left = text;
    EXPECT(take_number(left, value));
    EXPECT_EQ(left, std::string_view(rest));
  }
  EXPECT_EQ(value, 7.0f);
  std::string_view none = "x";
  EXPECT(!take_number(none, value));
  EXPECT_EQ(none, std::string_view("x"));
}

TINYTF_TEST(number_text_is_the_same_in_every_locale) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "C"}) {
    if (std::setlocale(LC_NUMERIC, name) == nullptr) continue;  // the locale is not installed
    float value = 0;
    std::string_view text = "0.5";
    EXPECT(take_number(text, value));
    EXPECT_EQ(value, 0.5f);
    EXPECT_EQ(number_text(1.5), "1.5");
  }
  std::setlocale(LC_NUMERIC, before.c_str());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
