#pragma once

// A host of background tasks without a session, and the ends of tasks.

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "op/background_work.h"
#include "services/fork_gate.h"
#include "services/thread_pool.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace testing {

/// Runs tasks with services of a serial step, until it is closed.
class OpenHost final : public BackgroundHost {
 public:
  bool run(Cancellation& cancellation, FunctionRef<void(const KernelServices&)> work) override {
    if (closed) return false;
    ResourceManager step_resources;
    SerialParallel parallel;
    KernelServices services;
    services.allocator = &Allocator::process();
    services.parallel = &parallel;
    services.resources = services.step_resources = &step_resources;
    services.cancellation = &cancellation;
    services.background = this;
    work(services);
    return true;
  }

  std::atomic<bool> closed{false};
};

/// While this lives, no thread of the process's pool is free.
class BusyPool {
 public:
  BusyPool() {
    for (int i = 0; i < threads_; ++i) {
      ThreadPool::process().schedule([this] { wait(); });
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ == threads_; });
  }
  ~BusyPool() {
    std::unique_lock lock(mutex_);
    has_ended_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return waiting_ == 0; });
  }
  BusyPool(const BusyPool&) = delete;
  BusyPool& operator=(const BusyPool&) = delete;

 private:
  void wait() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return has_ended_; });
    --waiting_;
    changed_.notify_all();
  }

  const int threads_ = ThreadPool::process().size();
  std::mutex mutex_;
  std::condition_variable changed_;
  int waiting_ = 0;
  bool has_ended_ = false;
};

/// Collects the ends of tasks. Must outlive them. Thread-safe.
class Ends {
 public:
  BackgroundWork::Done one() {
    return [this](const Status& status) { add(status); };
  }
  void add(const Status& status) {
    std::lock_guard lock(mutex_);
    statuses_.push_back(status);
    changed_.notify_all();
  }
  /// Waits for this many ends, of which there must be no more.
  std::vector<Status> wait_for(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return statuses_.size() >= count; });
    EXPECT_EQ(statuses_.size(), count);
    return statuses_;
  }
  size_t count() const {
    std::lock_guard lock(mutex_);
    return statuses_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Status> statuses_;
};

/// Blocks a thread outside the ForkGate until it is cancelled. Counts the threads that have come. Thread-safe.
class Blocker {
 public:
  Status wait(const KernelServices& step) {
    const ForkGate::Outside outside;
    Cancellation::Token token = -1;
    const bool waits = step.cancellation->on_cancel(&token, [this] {
      std::lock_guard lock(mutex_);
      ++cancelled_;
      changed_.notify_all();
    });
    std::unique_lock lock(mutex_);
    ++came_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return !waits || cancelled_ > 0; });
    return Status(Code::kCancelled, "woken");
  }
  void wait_for(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return came_ >= count; });
  }
  int came() const {
    std::lock_guard lock(mutex_);
    return came_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int came_ = 0, cancelled_ = 0;
};

}  // namespace testing
}  // namespace tinytf
