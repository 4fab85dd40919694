#include "runtime/step/step_watch.h"

#include <limits>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using Clock = StepWatch::Clock;

/// Counts polls; interrupts at the n-th one.
struct Asked final : Interrupt {
  explicit Asked(int n) : yes_at(n) {}
  bool interrupted() override { return ++times == yes_at; }
  const int yes_at;
  int times = 0;
};

/// Looks until the watch reports an error.
Status watch_on(StepWatch& watch) {
  for (;;) {
    Status seen = watch.look();
    if (!seen.ok()) return seen;
  }
}

TINYTF_TEST(step_watch_without_limits_sees_nothing) {
  for (const int64_t none : {0, -1}) {
    StepWatch watch(none, nullptr);
    EXPECT(!watch.has_deadline());
    EXPECT(watch.next_look() == Clock::time_point::max());
    for (int i = 0; i < 1000; ++i) EXPECT_OK(watch.look());
  }
}

TINYTF_TEST(step_watch_tells_once_that_the_time_is_up) {
  const auto begin = Clock::now();
  StepWatch watch(3, nullptr);
  EXPECT(watch.has_deadline());
  EXPECT(watch.next_look() >= begin + std::chrono::milliseconds(3));
  EXPECT(watch.next_look() <= Clock::now() + std::chrono::milliseconds(3));
  const Status seen = watch_on(watch);
  EXPECT(Clock::now() >= begin + std::chrono::milliseconds(3));
  EXPECT_EQ(seen.code(), Code::kDeadlineExceeded);
  EXPECT_EQ(seen.message(), "Timed out waiting for notification");
  EXPECT_OK(watch.look());
  EXPECT(!watch.has_deadline());
  EXPECT(watch.next_look() == Clock::time_point::max());
}

TINYTF_TEST(step_watch_asks_once_in_a_poll) {
  Asked interrupt(3);
  StepWatch watch(0, &interrupt);
  EXPECT_OK(watch.look());
  EXPECT_EQ(interrupt.times, 0);  // a short step does not poll
  const auto begin = Clock::now();
  EXPECT(watch.next_look() > begin && watch.next_look() <= Clock::now() + 2 * StepWatch::kPoll);
  const Status seen = watch_on(watch);
  EXPECT_EQ(seen.code(), Code::kCancelled);
  EXPECT_EQ(seen.message(), "Run call was interrupted");
  // Three polls have passed since the first look, up to ticks of the coarse clock.
  EXPECT(Clock::now() - begin >= 2 * StepWatch::kPoll);
  for (int i = 0; i < 1000; ++i) EXPECT_OK(watch.look());
  EXPECT_EQ(interrupt.times, 3);
  EXPECT(watch.next_look() == Clock::time_point::max());
}

TINYTF_TEST(step_watch_has_both_limits) {
  Asked interrupt(1'000'000);
  StepWatch watch(60, &interrupt);
  EXPECT(watch.next_look() < Clock::now() + std::chrono::milliseconds(60));  // to poll in between
  EXPECT_EQ(watch_on(watch).code(), Code::kDeadlineExceeded);
  EXPECT(interrupt.times <= 3);
  StepWatch short_watch(1, &interrupt);
  EXPECT(short_watch.next_look() <= Clock::now() + std::chrono::milliseconds(1));
}

TINYTF_TEST(step_watch_of_the_longest_limits) {
  for (const int64_t timeout_ms : {int64_t{1'000'000'000'000}, std::numeric_limits<int64_t>::max()}) {
    StepWatch watch(timeout_ms, nullptr);
    EXPECT(watch.has_deadline());
    EXPECT(watch.next_look() > Clock::now() + std::chrono::hours(24 * 365));
    EXPECT_OK(watch.look());
  }
}

TINYTF_TEST(step_watch_measures_from_look_to_look) {
  StepWatch watch(0, nullptr);
  EXPECT_OK(watch.look());
  EXPECT_EQ(watch.since_last_look().count(), 0);
  const auto begin = Clock::now();
  while (Clock::now() - begin < std::chrono::milliseconds(30)) continue;  // longer than a tick of the coarse clock
  EXPECT_OK(watch.look());
  EXPECT(watch.since_last_look() >= std::chrono::milliseconds(10));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
