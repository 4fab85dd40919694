#include "runtime/step/stop_check.h"

#include <limits>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using Clock = StepStopCheck::Clock;

/// Counts polls; interrupts at the n-th one.
struct Asked final : Interrupt {
  explicit Asked(int n) : yes_at(n) {}
  bool interrupted() override { return ++times == yes_at; }
  const int yes_at;
  int times = 0;
};

/// Looks until the stop check reports an error.
Status watch_on(StepStopCheck& stop_check) {
  for (;;) {
    Status seen = stop_check.look();
    if (!seen.ok()) return seen;
  }
}

TINYTF_TEST(stop_check_without_limits_sees_nothing) {
  for (const int64_t none : {0, -1}) {
    StepStopCheck stop_check(none, nullptr);
    EXPECT(!stop_check.has_deadline());
    EXPECT(stop_check.next_look() == Clock::time_point::max());
    for (int i = 0; i < 1000; ++i) EXPECT_OK(stop_check.look());
  }
}

TINYTF_TEST(stop_check_tells_once_that_the_time_is_up) {
  const auto begin = Clock::now();
  StepStopCheck stop_check(3, nullptr);
  EXPECT(stop_check.has_deadline());
  EXPECT(stop_check.next_look() >= begin + std::chrono::milliseconds(3));
  EXPECT(stop_check.next_look() <= Clock::now() + std::chrono::milliseconds(3));
  const Status seen = watch_on(stop_check);
  EXPECT(Clock::now() >= begin + std::chrono::milliseconds(3));
  EXPECT_EQ(seen.code(), Code::kDeadlineExceeded);
  EXPECT_EQ(seen.message(), "Timed out waiting for notification");
  EXPECT_OK(stop_check.look());
  EXPECT(!stop_check.has_deadline());
  EXPECT(stop_check.next_look() == Clock::time_point::max());
}

TINYTF_TEST(stop_check_asks_once_in_a_poll) {
  Asked interrupt(3);
  StepStopCheck stop_check(0, &interrupt);
  EXPECT_OK(stop_check.look());
  EXPECT_EQ(interrupt.times, 0);  // a short step does not poll
  const auto begin = Clock::now();
  EXPECT(stop_check.next_look() > begin && stop_check.next_look() <= Clock::now() + 2 * StepStopCheck::kPoll);
  const Status seen = watch_on(stop_check);
  EXPECT_EQ(seen.code(), Code::kCancelled);
  EXPECT_EQ(seen.message(), "Run call was interrupted");
  // Three polls have passed since the first look, up to ticks of the coarse clock.
  EXPECT(Clock::now() - begin >= 2 * StepStopCheck::kPoll);
  for (int i = 0; i < 1000; ++i) EXPECT_OK(stop_check.look());
  EXPECT_EQ(interrupt.times, 3);
  EXPECT(stop_check.next_look() == Clock::time_point::max());
}

TINYTF_TEST(stop_check_has_both_limits) {
  Asked interrupt(1'000'000);
  StepStopCheck stop_check(60, &interrupt);
  EXPECT(stop_check.next_look() < Clock::now() + std::chrono::milliseconds(60));  // to poll in between
  EXPECT_EQ(watch_on(stop_check).code(), Code::kDeadlineExceeded);
  EXPECT(interrupt.times <= 3);
  StepStopCheck short_watch(1, &interrupt);
  EXPECT(short_watch.next_look() <= Clock::now() + std::chrono::milliseconds(1));
}

TINYTF_TEST(stop_check_of_the_longest_limits) {
  for (const int64_t timeout_ms : {int64_t{1'000'000'000'000}, std::numeric_limits<int64_t>::max()}) {
    StepStopCheck stop_check(timeout_ms, nullptr);
    EXPECT(stop_check.has_deadline());
    EXPECT(stop_check.next_look() > Clock::now() + std::chrono::hours(24 * 365));
    EXPECT_OK(stop_check.look());
  }
}

TINYTF_TEST(stop_check_measures_from_look_to_look) {
  StepStopCheck stop_check(0, nullptr);
  EXPECT_OK(stop_check.look());
  EXPECT_EQ(stop_check.since_last_look().count(), 0);
  const auto begin = Clock::now();
  while (Clock::now() - begin < std::chrono::milliseconds(30)) continue;  // longer than a tick of the coarse clock
  EXPECT_OK(stop_check.look());
  EXPECT(stop_check.since_last_look() >= std::chrono::milliseconds(10));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
