#include "ops/data/shared/served_stage.h"

#include <chrono>
#include <mutex>

#include "services/fork_gate.h"

namespace tinytf::ops {

Status ServedStage::wait_for_calls(const IteratorContext& ctx) {
  for (;;) {
    TINYTF_RETURN_IF_ERROR(ctx.check());
    const ForkGate::Outside outside;
    std::unique_lock lock(mutex_);
    if (idle_.wait_for(lock, std::chrono::milliseconds(5), [this] { return calls_ == 0; })) return Status();
  }
}

}  // namespace tinytf::ops
