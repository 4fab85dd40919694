#include "base/deadline.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using Clock = std::chrono::steady_clock;

TINYTF_TEST(deadline_is_so_long_from_now) {
  const auto before = Clock::now();
  const auto deadline = deadline_after(1500);
  EXPECT(deadline >= before + std::chrono::milliseconds(1500));
  EXPECT(deadline <= Clock::now() + std::chrono::milliseconds(1500));
  const auto now = deadline_after(0);
  EXPECT(now <= Clock::now());
}

TINYTF_TEST(deadline_far_away_does_not_overflow) {
  const auto far = Clock::now() + std::chrono::hours(24 * 365 * 99);
  EXPECT(deadline_after(INT64_MAX) > far);
  EXPECT(deadline_after(INT64_MAX / 1000) > far);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
