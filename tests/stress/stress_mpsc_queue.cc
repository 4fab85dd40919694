#include <atomic>
#include <vector>

#include "base/mpsc_queue.h"
#include "handles/reaper.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

struct Item {
  std::atomic<int> taken{0};
  Item* queue_next = nullptr;
};

int take(Item* chain) {
  int count = 0;
  while (chain != nullptr) {
    Item* next = chain->queue_next;
    ++chain->taken;
    chain = next;
    ++count;
  }
  return count;
}

void expect_taken_once(const std::vector<Item>& items) {
  for (const Item& item : items) EXPECT_EQ(item.taken.load(), 1);
}

// Every item ends up with exactly one of the consumers, the closing thread, or the producer that still owns it.
TINYTF_TEST(queue_close_loses_nothing) {
  constexpr int kProducers = 3, kEach = 40;
  for (int round = 0; round < rounds(300); ++round) {
    MpscQueue<Item> queue;
    std::vector<Item> items(kProducers * kEach);
    on_threads(kProducers + 2, [&](int t) {
      if (t < kProducers) {
        for (int i = 0; i < kEach; ++i) {
          Item* item = &items[static_cast<size_t>(t * kEach + i)];
          if (queue.push(item) == MpscQueue<Item>::Pushed::kClosed) ++item->taken;
        }
      } else if (t == kProducers) {
        for (int i = 0; i < 10; ++i) take(queue.take_all());
      } else {
        take(queue.close());
      }
    });
    expect_taken_once(items);
    EXPECT(queue.empty());
  }
}

/// A work source with at most one item.
class OneItem final : public ReaperWork {
 public:
  std::atomic<bool> there{false};
  std::atomic<int> ends{0};

 private:
  int64_t free_batch() override { return there.exchange(false) ? 1 : 0; }
  bool nothing_queued() const override { return !there; }
  bool urgent() const override { return false; }
  void before_batch() override {}
  bool more_may_come() const override { return false; }
  void before_rest() override {}
  void at_end() override { ++ends; }
};

// An item queued just as the reaper goes to sleep wakes it; otherwise the next round would wait forever.
TINYTF_TEST(reaper_misses_no_item) {
  OneItem work;
  Reaper reaper(work, /*nap_us=*/0);
  EXPECT(reaper.start());
  for (int round = 0; round < rounds(2000); ++round) {
    work.there = true;
    reaper.notify();
    if (round % 7 == 0) reaper.notify_urgent();
    while (work.there) std::this_thread::yield();
    for (int i = 0; i < round % 64; ++i) std::this_thread::yield();  // varies the timing
  }
  reaper.tell_stop();
  reaper.join();
  EXPECT_EQ(work.ends.load(), 1);
}

TINYTF_TEST(reaper_misses_no_stop) {
  OneItem work;
  Reaper reaper(work, /*nap_us=*/0);
  for (int round = 0; round < rounds(300); ++round) {
    EXPECT(reaper.start());
    for (int i = 0; i < round % 32; ++i) std::this_thread::yield();
    reaper.tell_stop();
    reaper.join();
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
