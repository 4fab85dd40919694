#include <array>
#include <atomic>
#include <random>

#include "services/cancellation.h"
#include "tests/stress/stress.h"

namespace tinytf {

using namespace testing;

TINYTF_TEST(callbacks_run_once_or_were_removed) {
  constexpr int kThreads = 4;
  constexpr int kCallbacks = 24;
  struct Entry {
    Cancellation::Token token = 0;
    std::atomic<int> calls{0};
    bool registered = false;
    bool removed = false;
  };
  std::mt19937 seeds(1);
  for (int round = 0; round < rounds(60); ++round) {
    Cancellation cancellation;
    std::array<std::array<Entry, kCallbacks>, kThreads> entries;
    const uint32_t seed = seeds();
    // The last two threads cancel at the same time; the others register and remove callbacks meanwhile.
    on_threads(kThreads + 2, [&](int t) {
      if (t >= kThreads) return cancellation.cancel();
      std::mt19937 random(seed + static_cast<uint32_t>(t));
      for (int i = 0; i < kCallbacks; ++i) {
        Entry& entry = entries[t][i];
        entry.registered = cancellation.on_cancel(&entry.token, [&entry] { ++entry.calls; });
        Entry& other = entries[t][random() % static_cast<unsigned>(i + 1)];
        if (other.registered && !other.removed) other.removed = cancellation.remove(other.token);
      }
    });
    EXPECT(cancellation.cancelled());
    for (const auto& of_thread : entries) {
      for (const Entry& entry : of_thread) EXPECT_EQ(entry.calls + entry.removed, entry.registered ? 1 : 0);
    }
  }
}

}  // namespace tinytf
