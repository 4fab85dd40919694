#include "base/parse_number.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "base/number_text.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

template <class T>
bool is(std::string_view text, T wanted) {
  T value{};
  return parse_number(text, value) && value == wanted &&
         std::signbit(static_cast<double>(value)) == std::signbit(static_cast<double>(wanted));
}

template <class T>
bool is_none(std::string_view text) {
  T value{};
  return !parse_number(text, value);
}

TINYTF_TEST(parse_number_reads_integers) {
  EXPECT(is<int32_t>("0", 0) && is<int32_t>(" -12\n", -12) && is<int32_t>("2147483647", 2147483647));
  EXPECT(is<int64_t>("-9223372036854775808", std::numeric_limits<int64_t>::min()));
  for (const char* text : {"", " ", "-", "+5", "--1", "1.0", "1e3", "0x1f", "1 2", "1_0", "2147483648", "a"}) {
    EXPECT(is_none<int32_t>(text));
  }
  EXPECT(is_none<int64_t>("9223372036854775808"));
}

TINYTF_TEST(parse_number_reads_reals) {
  const float infinite = std::numeric_limits<float>::infinity();
  EXPECT(is<float>("1", 1) && is<float>("-1.5", -1.5f) && is<float>("+.5", .5f) && is<float>("5.", 5) &&
         is<float>("1e3", 1000) && is<float>("1E-2", .01f) && is<float>("-0", -0.0f) && is<float>("0e999", 0));
  EXPECT(is<float>("inf", infinite) && is<float>("-INF", -infinite) && is<float>("1e39", infinite) &&
         is<float>("-1e999999999999", -infinite) && is<double>("1e-400", 0) && is<double>("0x1F", 31));
  double value = 0;
  EXPECT(parse_number("NaN", value) && value != value);
  for (const char* text :
       {"", ".", "-", "e5", "1e", "1e+", "1f", "0x", "0x1p3", "infinity", "nan(1)", "1 2", "--1", "1,5", "1.2.3"}) {
    EXPECT(is_none<float>(text) && is_none<double>(text));
  }
}

TINYTF_TEST(parse_number_reads_what_number_text_writes) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000; ++i) {
    const uint64_t bits = random();
    float single = 0;
    double real = 0;
    std::memcpy(&single, &bits, sizeof single);
    std::memcpy(&real, &bits, sizeof real);
    if (std::isfinite(single)) EXPECT(is<float>(number_text(single), single));
    if (std::isfinite(real)) EXPECT(is<double>(number_text(real), real));
    const std::string few = std::to_string(static_cast<int>(bits % 1000000)) + "." + std::to_string(bits % 977);
    EXPECT(is<double>(few, std::stod(few)) && is<float>(few, std::stof(few)));
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
