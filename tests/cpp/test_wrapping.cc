#include "base/wrapping.h"

#include <cstdint>
#include <limits>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(wrapping_sums) {
  EXPECT_EQ(wrapping_add(std::numeric_limits<int32_t>::max(), 1), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(wrapping_add(std::numeric_limits<int64_t>::min(), int64_t{-1}), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(wrapping_add(int8_t{127}, int8_t{2}), int8_t{-127});
  EXPECT_EQ(wrapping_add(uint16_t{65535}, uint16_t{2}), uint16_t{1});
  EXPECT_EQ(wrapping_add(0.5, 0.25), 0.75);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
