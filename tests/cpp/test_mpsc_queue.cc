#include "base/mpsc_queue.h"

#include <thread>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

struct Item {
  int number = 0;
  Item* queue_next = nullptr;
};
using Queue = MpscQueue<Item>;

std::vector<int> numbers(const Item* chain) {
  std::vector<int> numbers;
  for (; chain != nullptr; chain = chain->queue_next) numbers.push_back(chain->number);
  return numbers;
}

TINYTF_TEST(mpsc_queue_hands_over_in_the_order_of_the_pushes) {
  Queue queue;
  Item items[3] = {{1}, {2}, {3}};
  EXPECT(queue.empty());
  EXPECT_EQ(queue.push(&items[0]), Queue::Pushed::kFirst);
  EXPECT_EQ(queue.push(&items[1]), Queue::Pushed::kMore);
  EXPECT_EQ(queue.push(&items[2]), Queue::Pushed::kMore);
  EXPECT(!queue.empty());
  EXPECT(numbers(queue.take_all()) == (std::vector<int>{1, 2, 3}));
  EXPECT(queue.empty());
  EXPECT(queue.take_all() == nullptr);
  EXPECT_EQ(queue.push(&items[1]), Queue::Pushed::kFirst);
  EXPECT(numbers(queue.take_all()) == (std::vector<int>{2}));
}

TINYTF_TEST(mpsc_queue_takes_nothing_once_it_is_closed) {
  Queue queue;
  Item items[2] = {{1}, {2}};
  EXPECT_EQ(queue.push(&items[0]), Queue::Pushed::kFirst);
  EXPECT(numbers(queue.close()) == (std::vector<int>{1}));
  EXPECT_EQ(queue.push(&items[1]), Queue::Pushed::kClosed);
  EXPECT(queue.empty());
  EXPECT(queue.take_all() == nullptr);
  EXPECT(queue.close() == nullptr);
}

TINYTF_TEST(mpsc_queue_warns_who_may_become_the_first) {
  Queue queue;
  Item items[2] = {{1}, {2}};
  int warnings = 0;
  EXPECT_EQ(queue.push(&items[0], [&] { ++warnings; }), Queue::Pushed::kFirst);
  EXPECT(warnings >= 1);
  warnings = 0;
  EXPECT_EQ(queue.push(&items[1], [&] { ++warnings; }), Queue::Pushed::kMore);
  EXPECT_EQ(warnings, 0);
}

TINYTF_TEST(mpsc_queue_keeps_the_order_of_each_thread) {
  Queue queue;
  constexpr int kThreads = 3, kItems = 1000;
  std::vector<std::vector<Item>> items(kThreads, std::vector<Item>(kItems));
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kItems; ++i) {
        items[t][i].number = t * kItems + i;
        queue.push(&items[t][i]);
      }
    });
  }
  std::vector<int> next(kThreads, 0);
  for (int seen = 0; seen < kThreads * kItems;) {
    const Item* chain = queue.take_all();
    if (chain == nullptr) std::this_thread::yield();
    for (; chain != nullptr; chain = chain->queue_next, ++seen) {
      EXPECT_EQ(chain->number % kItems, next[chain->number / kItems]++);
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT(queue.empty());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
