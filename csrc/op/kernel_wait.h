#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "op/kernel.h"

namespace tinytf {

/// A thread that waits for one kernel which may end later, on another thread. For one thread; lives until the kernel
/// has ended.
class KernelWait {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts the kernel. An error, what it throws included: then it has ended, or never began.
  Status start(AsyncKernel& kernel, KernelContext& ctx);
  /// Whether it has ended; sleeps until then, or until `due`. Forks need not wait for this thread meanwhile.
  bool wait_until(Clock::time_point due);
  /// Sleeps until it has ended.
  void wait();
  /// What the kernel returned. Once, after it has ended.
  Status take_status() { return std::move(status_); }

 private:
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  bool has_ended_ = false;
  Status status_;
};

}  // namespace tinytf
