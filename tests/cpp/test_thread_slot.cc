#include "base/thread_slot.h"

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

/// The slots of threads that are alive at the same time.
std::vector<int> slots_of(int threads) {
  std::vector<int> slots(static_cast<size_t>(threads), -1);
  std::atomic<int> arrived{0};
  std::vector<std::thread> all;
  for (int& slot : slots) {
    all.emplace_back([&] {
      slot = ThreadSlot::get();
      ++arrived;
      while (arrived.load() < threads) std::this_thread::yield();
      EXPECT_EQ(ThreadSlot::get(), slot);
    });
  }
  for (std::thread& thread : all) thread.join();
  return slots;
}

TINYTF_TEST(thread_slot_differs_among_few_threads) {
  for (int round = 0; round < 20; ++round) {  // slots of ended threads are reused
    const std::vector<int> slots = slots_of(kThreadSlots / 2);
    EXPECT_EQ(std::set<int>(slots.begin(), slots.end()).size(), slots.size());
  }
}

TINYTF_TEST(thread_slot_serves_more_threads_than_there_are) {
  for (const int slot : slots_of(3 * kThreadSlots)) EXPECT(slot >= 0 && slot < kThreadSlots);
}

TINYTF_TEST(thread_slot_can_be_changed) {
  std::thread([] {
    const int other = (ThreadSlot::get() + 1) % kThreadSlots;
    ThreadSlot::use(other);
    EXPECT_EQ(ThreadSlot::get(), other);
  }).join();
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
