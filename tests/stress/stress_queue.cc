#include <array>
#include <atomic>
#include <map>
#include <random>

#include "tests/cpp/queue_fixture.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

/// Publishes the step a thread waits for, so that another thread can cancel it under a lock, as a session does.
class Target {
 public:
  /// Runs the op to completion while it can be cancelled.
  Status run(QueueOp& op) {
    show(op.cancellation.get());
    op.start();
    const Status status = op.wait();
    show(nullptr);
    EXPECT_EQ(op.calls(), 1);
    return status;
  }
  void cancel() {
    std::lock_guard lock(mutex_);
    if (step_ != nullptr) step_->cancel();
  }

 private:
  void show(Cancellation* step) {
    std::lock_guard lock(mutex_);
    step_ = step;
  }
  std::mutex mutex_;
  Cancellation* step_ = nullptr;
};

/// Randomly cancels targets until `left` threads have finished.
template <size_t kTargets>
void cancel_at_random(std::array<Target, kTargets>& targets, const std::atomic<int>& left) {
  std::mt19937 random(7);
  while (left > 0) {
    if (random() % 4 == 0) targets[random() % kTargets].cancel();
    std::this_thread::yield();
  }
}

bool is_cancelled(const Status& status) { return status.code() == Code::kCancelled; }

/// Dequeues in various ways until the queue is closed; appends the elements to `out`.
void consume(const Tensor& queue, Target& target, uint32_t seed, std::vector<int32_t>* out) {
  std::mt19937 random(seed);
  for (bool open = true; open;) {
    const uint32_t way = random() % 3;
    auto op = way == 0 ? dequeue(queue) : way == 1 ? dequeue_many(queue, 5) : dequeue_up_to(queue, 3);
    const Status status = target.run(*op);
    if (status.ok()) {
      for (int32_t value : values<int32_t>(op->output())) out->push_back(value);
    } else if (!is_cancelled(status)) {
      EXPECT_EQ(status.code(), Code::kOutOfRange);
      open = way == 1;  // some elements may be left
    }
  }
}

TINYTF_TEST(queues_neither_lose_nor_double_elements) {
  constexpr int kProducers = 3, kConsumers = 3, kElements = 60;
  for (int round = 0; round < rounds(20); ++round) {
    const Tensor queue = fifo_queue(1 + round % 7);
    std::array<Target, kProducers + kConsumers> targets;
    std::array<std::vector<int32_t>, kConsumers> out;
    std::atomic<int> left{kProducers + kConsumers}, producing{kProducers};
    on_threads(kProducers + kConsumers + 1, [&](int t) {
      if (t == kProducers + kConsumers) return cancel_at_random(targets, left);
      if (t < kProducers) {
        for (int32_t i = 0; i < kElements; ++i) {
          while (is_cancelled(targets[t].run(*enqueue(queue, t * kElements + i)))) continue;
        }
        if (--producing == 0) EXPECT_OK(close(queue)->start().wait());
      } else {
        consume(queue, targets[t], static_cast<uint32_t>(round * kConsumers + t), &out[t - kProducers]);
      }
      --left;
    });
    std::vector<int> times(kProducers * kElements, 0);
    for (const auto& of_thread : out) {
      for (int32_t value : of_thread) ++times[value];
    }
    EXPECT(times == std::vector<int>(kProducers * kElements, 1));
    EXPECT_EQ(size(queue), 0);
  }
}

TINYTF_TEST(queues_keep_the_order_of_each_producer) {
  constexpr int kProducers = 3, kBatches = 20, kRows = 4;
  for (int round = 0; round < rounds(20); ++round) {
    const Tensor queue = fifo_queue(1 + round % 6);
    std::array<Target, 1> targets;  // the consumer's; elements taken by a cancelled op must return in order
    std::vector<int32_t> out;
    std::atomic<int> left{1}, producing{kProducers};
    on_threads(kProducers + 2, [&](int t) {
      if (t == kProducers + 1) return cancel_at_random(targets, left);
      if (t == kProducers) {
        consume(queue, targets[0], static_cast<uint32_t>(round), &out);
        --left;
        return;
      }
      for (int32_t b = 0; b < kBatches; ++b) {
        std::vector<int32_t> rows;
        for (int32_t r = 0; r < kRows; ++r) rows.push_back((b * kRows + r) * kProducers + t);
        EXPECT_OK(enqueue_many(queue, rows)->start().wait());
      }
      if (--producing == 0) EXPECT_OK(close(queue)->start().wait());
    });
    EXPECT_EQ(out.size(), size_t{kProducers * kBatches * kRows});
    std::map<int32_t, int32_t> next;  // by producer
    for (int32_t value : out) EXPECT_EQ(value / kProducers, next[value % kProducers]++);
  }
}

TINYTF_TEST(queues_end_every_attempt_when_closed) {
  constexpr int kThreads = 6;
  for (int round = 0; round < rounds(60); ++round) {
    const Tensor queue = fifo_queue(2);
    std::array<Target, kThreads> targets;
    std::atomic<int> left{kThreads};
    Latch some(3);
    on_threads(kThreads + 2, [&](int t) {
      if (t == kThreads) {
        some.wait();
        EXPECT_OK(close(queue, true)->start().wait());
        return;
      }
      if (t > kThreads) return cancel_at_random(targets, left);
      for (Status status; status.ok() || !is_closed(queue);) {
        auto op = t % 3 == 0 ? enqueue_many(queue, {1, 2, 3}) : t % 3 == 1 ? dequeue_many(queue, 4) : dequeue(queue);
        some.count_down();
        status = targets[t].run(*op);
        EXPECT(status.ok() || is_cancelled(status) || status.code() == Code::kOutOfRange);
      }
      --left;
    });
    EXPECT_EQ(close(queue)->start().wait().code(), Code::kCancelled);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
