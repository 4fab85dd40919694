#include "session/drain_queue.h"

#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace {

struct Item {
  int number = 0;
  Item* queue_next = nullptr;
};
using Queue = DrainQueue<Item>;

std::vector<int> numbers(const Item* chain) {
  std::vector<int> numbers;
  for (; chain != nullptr; chain = chain->queue_next) numbers.push_back(chain->number);
  return numbers;
}

struct Filled {
  Filled() {
    for (int i = 0; i < 5; ++i) items[i].number = i;
    for (int i = 0; i < 3; ++i) queue.push(&items[i]);
  }
  /// Takes all and puts back all but the first.
  Item* put_rest_back() {
    Item* first = queue.take();
    Item* left = queue.put_back(first->queue_next);
    first->queue_next = nullptr;
    return left;
  }
  Queue queue;
  Item items[5];
};

TINYTF_TEST(drain_queue_yields_what_was_put_back_first) {
  Filled filled;
  Queue& queue = filled.queue;
  EXPECT(filled.put_rest_back() == nullptr);
  EXPECT(!queue.empty());
  EXPECT_EQ(queue.push(&filled.items[3]), Queue::Pushed::kFirst);
  EXPECT(numbers(queue.take()) == (std::vector<int>{1, 2}));
  EXPECT(!queue.empty());
  EXPECT(numbers(queue.take()) == (std::vector<int>{3}));
  EXPECT(queue.empty() && queue.take() == nullptr);
}

TINYTF_TEST(drain_queue_takes_back_from_two_takers) {
  Filled filled;
  Queue& queue = filled.queue;
  Item* chain = queue.take();
  EXPECT(queue.put_back(chain->queue_next->queue_next) == nullptr);  // 2
  chain->queue_next->queue_next = nullptr;
  queue.push(&filled.items[3]);
  EXPECT(queue.put_back(chain) == nullptr);  // 0 and 1, behind what was pushed since
  EXPECT(numbers(queue.take()) == (std::vector<int>{2}));
  EXPECT(numbers(queue.take()) == (std::vector<int>{3, 0, 1}));
}

TINYTF_TEST(drain_queue_hands_out_everything_at_its_close) {
  Filled filled;
  Queue& queue = filled.queue;
  EXPECT(filled.put_rest_back() == nullptr);
  queue.push(&filled.items[3]);
  std::vector<int> seen;
  queue.close([&](const Item* chain) {
    for (const int number : numbers(chain)) seen.push_back(number);
  });
  EXPECT(seen == (std::vector<int>{1, 2, 3}));
  EXPECT(queue.empty() && queue.take() == nullptr);
  EXPECT_EQ(queue.push(&filled.items[4]), Queue::Pushed::kClosed);
  int chains = 0;
  queue.close([&](const Item* chain) { chains += chain != nullptr; });
  EXPECT_EQ(chains, 0);
}

TINYTF_TEST(drain_queue_takes_nothing_back_once_it_is_closed) {
  Filled filled;
  Item* chain = filled.queue.take();
  filled.queue.close([](const Item*) {});
  EXPECT_EQ(filled.queue.put_back(chain), chain);
  EXPECT(numbers(chain) == (std::vector<int>{0, 1, 2}));
  EXPECT(filled.queue.empty());
}

}  // namespace
}  // namespace tinytf
