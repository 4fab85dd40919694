#include "op/function_callee.h"

namespace tinytf {

namespace {

/// A kernel of a graph session has one runner. Kernels of eager operations see one per session; those of a program that
/// makes many sessions are looked up in the runner at each call.
constexpr size_t kMostCached = 16;

}  // namespace

Result<FunctionInstance*> FunctionCallee::instance(const KernelServices& step, FunctionOwner owner) {
  FunctionRunner* const runner = step.functions;
  if (runner == nullptr) {
    return failed_precondition("Function ", function_.name, " can only be called while a step runs");
  }
  const Cached* const latest = latest_.load(std::memory_order_acquire);
  if (latest != nullptr && latest->runner == runner->id()) return latest->instance.get();
  TINYTF_ASSIGN_OR_RETURN(RefPtr<FunctionInstance> made, runner->instantiate(function_, step, owner));
  auto fresh = std::make_unique<const Cached>(Cached{runner->id(), made});
  std::lock_guard lock(mutex_);
  if (cached_.size() < kMostCached) {
    cached_.push_back(std::move(fresh));
    latest_.store(cached_.back().get(), std::memory_order_release);
  }
  return made.get();  // The runner keeps it.
}

}  // namespace tinytf
