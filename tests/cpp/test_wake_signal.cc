#include "services/wake_signal.h"

#include <thread>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using Clock = std::chrono::steady_clock;

TINYTF_TEST(wake_signal_keeps_one) {
  WakeSignal signal;
  signal.give();
  signal.give();
  signal.take();
  EXPECT(!signal.take_until(Clock::now()));
  signal.give();
  EXPECT(signal.take_until(Clock::now()));
  EXPECT(!signal.take_until(Clock::now() - std::chrono::hours(1)));
}

TINYTF_TEST(wake_signal_waits_as_long_as_it_is_told) {
  WakeSignal signal;
  const auto until = Clock::now() + std::chrono::milliseconds(2);
  EXPECT(!signal.take_until(until));
  EXPECT(Clock::now() >= until);
}

TINYTF_TEST(wake_signal_wakes) {
  constexpr int kRounds = 1000;
  WakeSignal there, back;
  std::thread other([&] {
    for (int i = 0; i < kRounds; ++i) {
      there.take();
      back.give();
    }
  });
  int woken = 0;
  for (int i = 0; i < kRounds; ++i) {
    there.give();
    if (i % 2 == 0) {
      back.take();
      ++woken;
    } else {
      woken += back.take_until(Clock::now() + std::chrono::hours(1));
    }
  }
  other.join();
  EXPECT_EQ(woken, kRounds);
}

TINYTF_TEST(wake_signal_forgets_what_was_given) {
  WakeSignal signal;
  signal.give();
  signal.forget();
  EXPECT(!signal.take_until(Clock::now()));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
