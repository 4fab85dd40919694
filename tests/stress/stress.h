#pragma once

// Helpers of the stress tests: the number of rounds, and simultaneous starts of threads. No helper sleeps or measures
// time.

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace testing {

/// `count` times the environment variable TINYTF_STRESS, which defaults to 1; the sanitizer targets set it higher.
inline int rounds(int count) {
  static const int factor = [] {
    const char* text = std::getenv("TINYTF_STRESS");
    return text == nullptr ? 1 : std::max(1, std::atoi(text));
  }();
  return count * factor;
}

/// A reusable barrier for `count` threads.
class Barrier {
 public:
  explicit Barrier(int count) : count_(count) {}

  void wait() {
    std::unique_lock lock(mutex_);
    const int64_t turn = turn_;
    if (++arrived_ == count_) {
      arrived_ = 0;
      ++turn_;
      changed_.notify_all();
    } else {
      changed_.wait(lock, [&] { return turn_ != turn; });
    }
  }

 private:
  const int count_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0;
  int64_t turn_ = 0;
};

/// Opens after `count` calls of count_down.
class Latch {
 public:
  explicit Latch(int count) : left_(count) {}

  void count_down() {
    std::lock_guard lock(mutex_);
    if (--left_ == 0) opened_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return left_ <= 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  int left_;
};

/// Runs body(0), …, body(count - 1) on separate threads that start together; returns when all have ended.
template <class Body>
void on_threads(int count, Body body) {
  Barrier start(count);
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) {
    threads.emplace_back([&body, &start, t] {
      start.wait();
      body(t);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace testing
}  // namespace tinytf
