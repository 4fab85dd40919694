#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "op/kernel.h"

namespace tinytf {

/// Waits on one thread for one AsyncKernel. Lives until the kernel has ended.
class KernelWait {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts the kernel. After an error, including an exception, the kernel has ended or never began, and there is
  /// nothing to wait for.
  Status start(AsyncKernel& kernel, KernelContext& ctx);
  /// Waits until the kernel has ended or `due` is reached; returns whether it has ended. Forks do not wait for this
  /// thread meanwhile.
  bool wait_until(Clock::time_point due);
  /// Waits until the kernel has ended.
  void wait();
  /// The kernel's status. Call it once, after the kernel has ended.
  Status take_status() { return std::move(status_); }

 private:
  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  bool has_ended_ = false;
  Status status_;
};

}  // namespace tinytf
