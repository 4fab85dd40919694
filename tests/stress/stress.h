#pragma once

// What the stress tests share: how often, and how threads begin together. Nothing here sleeps or measures time.

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

/// `count`, times what the environment says in TINYTF_STRESS: the sanitizer targets say more than the default, 1.
inline int rounds(int count) {
  static const int factor = [] {
    const char* text = std::getenv("TINYTF_STRESS");
    return text == nullptr ? 1 : std::max(1, std::atoi(text));
  }();
  return count * factor;
}

/// Lets `count` threads pass together, again and again.
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

/// Opens when it has been counted down `count` times or more.
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

/// Runs body(0), …, body(count - 1) on threads of their own that begin together; returns when all have ended.
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
