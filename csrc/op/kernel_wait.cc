#include "op/kernel_wait.h"

#include "op/guarded.h"
#include "services/fork_gate.h"

namespace tinytf {

Status KernelWait::start(AsyncKernel& kernel, KernelContext& ctx) {
  return start_guarded(kernel, ctx, [this](Status status) {
    std::lock_guard lock(mutex_);
    status_ = std::move(status);
    has_ended_ = true;
    changed_.notify_one();  // under the lock: afterwards the waiting thread may destroy this object
  });
}

bool KernelWait::wait_until(Clock::time_point due) {
  const ForkGate::Outside waiting;
  std::unique_lock lock(mutex_);
  if (due == Clock::time_point::max()) {
    changed_.wait(lock, [this] { return has_ended_; });
    return true;
  }
  return changed_.wait_until(lock, due, [this] { return has_ended_; });
}

void KernelWait::wait() { (void)wait_until(Clock::time_point::max()); }

}  // namespace tinytf
