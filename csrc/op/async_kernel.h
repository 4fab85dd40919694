#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <utility>

#include "op/guarded.h"
#include "op/kernel.h"

namespace tinytf {

/// A kernel that may finish later, on another thread, without occupying a thread meanwhile. It registers with the
/// step's Cancellation so that it ends soon after a cancel. It must call `done` exactly once, on any thread, maybe with
/// a lock held: `done` only hands the node back to its step. The context lives until then.
class AsyncKernel : public Kernel {
 public:
  using Done = std::function<void(Status)>;
  bool is_async() const final { return true; }
  /// Runs the kernel and waits for its end on the calling thread (for constant folding and tests).
  Status compute(KernelContext& ctx) final;
  virtual void compute_async(KernelContext& ctx, Done done) = 0;
};

/// As AsyncKernel::compute_async, but returns an error if it throws. In that case `done` is never called.
template <class Done>
Status start_guarded(AsyncKernel& kernel, KernelContext& ctx, Done done) {
  return guarded([&] {
    kernel.compute_async(ctx, std::move(done));
    return Status();
  });
}

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
