#include "op/async_kernel.h"

#include "services/fork_gate.h"

namespace tinytf {

Status AsyncKernel::compute(KernelContext& ctx) {
  KernelWait wait;
  TINYTF_RETURN_IF_ERROR(wait.start(*this, ctx));
  wait.wait();
  return wait.take_status();
}

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
