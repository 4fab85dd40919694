#include "base/half.h"

#include <cmath>
#include <limits>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(half_known_values) {
  EXPECT_EQ(Half(0.0f).bits, 0x0000);
  EXPECT_EQ(Half(-0.0f).bits, 0x8000);
  EXPECT_EQ(Half(1.0f).bits, 0x3C00);
  EXPECT_EQ(Half(-2.0f).bits, 0xC000);
  EXPECT_EQ(Half(65504.0f).bits, 0x7BFF);
  EXPECT_EQ(Half(65520.0f).bits, 0x7C00);  // half way to the next number: even is infinity
  EXPECT_EQ(Half(65519.0f).bits, 0x7BFF);
  EXPECT_EQ(Half(std::numeric_limits<float>::infinity()).bits, 0x7C00);
  EXPECT_EQ(Half(std::ldexp(1.0f, -24)).bits, 0x0001);
  EXPECT_EQ(Half(std::ldexp(1.0f, -25)).bits, 0x0000);  // a tie rounds to even
  EXPECT_EQ(Half(std::ldexp(1.5f, -25)).bits, 0x0001);
  EXPECT(std::isnan(static_cast<float>(Half(std::nanf("")))));
}

TINYTF_TEST(half_every_value_survives_a_round_trip) {
  int wrong = 0;
  for (int bits = 0; bits < 0x10000; ++bits) {
    Half half;
    half.bits = static_cast<uint16_t>(bits);
    const float value = static_cast<float>(half);
    if (!std::isnan(value) && Half(value).bits != half.bits) ++wrong;
    if (std::isnan(value) != ((bits & 0x7FFF) > 0x7C00)) ++wrong;
  }
  EXPECT_EQ(wrong, 0);
}

TINYTF_TEST(half_rounds_to_nearest_even) {
  EXPECT_EQ(Half(1.0f + std::ldexp(1.0f, -11)).bits, 0x3C00);
  EXPECT_EQ(Half(1.0f + std::ldexp(3.0f, -11)).bits, 0x3C02);
  EXPECT_EQ(Half(1.0f + std::ldexp(1.0f, -11) + std::ldexp(1.0f, -20)).bits, 0x3C01);
}

TINYTF_TEST(bfloat16_rounds_to_nearest_even) {
  EXPECT_EQ(BFloat16(1.0f).bits, 0x3F80);
  EXPECT_EQ(BFloat16(1.0f + std::ldexp(1.0f, -8)).bits, 0x3F80);
  EXPECT_EQ(BFloat16(1.0f + std::ldexp(3.0f, -8)).bits, 0x3F82);
  EXPECT_EQ(BFloat16(std::numeric_limits<float>::max()).bits, 0x7F80);
  EXPECT(std::isnan(static_cast<float>(BFloat16(std::nanf("")))));
  int wrong = 0;
  for (int bits = 0; bits < 0x10000; ++bits) {
    BFloat16 value;
    value.bits = static_cast<uint16_t>(bits);
    const float wide = static_cast<float>(value);
    if (!std::isnan(wide) && BFloat16(wide).bits != value.bits) ++wrong;
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
