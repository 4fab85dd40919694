#include "ops/data/shared/branch_input.h"

#include <chrono>

#include "data/background_stage.h"
#include "services/fork_gate.h"

namespace tinytf::ops {

void BranchInput::renew_if_forked() noexcept {
  renewal_.run_if_due([this] {
    new (&mutex_) std::mutex;
    new (&free_) std::condition_variable;
    (void)waiting_.release();  // Of the parent.
    if (std::exchange(is_used_, false)) broken_ = data::interrupted_by_fork();
  });
}

int64_t BranchInput::begin_turn() {
  renew_if_forked();
  const std::lock_guard lock(mutex_);
  return ++turn_;
}

Result<Pulled> BranchInput::pull(PullContext& ctx, int64_t turn, Element& element) {
  renew_if_forked();
  {
    RefPtr<data::Waker> waiting;  // Released after the lock, if it is another one.
    const std::lock_guard lock(mutex_);
    TINYTF_RETURN_IF_ERROR(broken_);
    if (turn != turn_) return Pulled::kEnd;
    if (std::exchange(is_used_, true)) {
      waiting = std::exchange(waiting_, RefPtr<data::Waker>::share(&ctx.waker));
      return Pulled::kPending;
    }
  }
  const Use use(*this);
  return input_->next(ctx, element);
}

Status BranchInput::use_alone(IteratorContext& ctx, FunctionRef<Status(data::Iterator&)> use) {
  renew_if_forked();
  while (!begin_use()) {
    TINYTF_RETURN_IF_ERROR(ctx.check());
    const ForkGate::Outside outside;
    std::unique_lock lock(mutex_);
    if (is_used_) free_.wait_for(lock, std::chrono::milliseconds(5));
  }
  const Use alone(*this);
  TINYTF_RETURN_IF_ERROR(broken_);
  return use(*input_);
}

bool BranchInput::begin_use() {
  const std::lock_guard lock(mutex_);
  return !std::exchange(is_used_, true);
}

void BranchInput::end_use() {
  renew_if_forked();
  RefPtr<data::Waker> waiting;
  {
    const std::lock_guard lock(mutex_);
    is_used_ = false;
    waiting = std::exchange(waiting_, nullptr);
  }
  free_.notify_all();
  if (waiting) waiting->wake();
}

}  // namespace tinytf::ops
