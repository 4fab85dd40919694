#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "op/function_runner.h"

namespace tinytf {

/// A kernel's reference to a function that it calls. It asks the step's runner for the instance at the first call and
/// caches it. Thread-safe.
class FunctionCallee {
 public:
  explicit FunctionCallee(FuncRef function) : function_(std::move(function)) {}

  const FuncRef& function() const { return function_; }
  /// The function's instance in the step's runner, which lives at least as long as the step. FailedPrecondition if the
  /// step has no runner, else fails as FunctionRunner::instantiate does.
  Result<FunctionInstance*> instance(const KernelServices& step, FunctionOwner owner = {});

 private:
  struct Cached {
    uint64_t runner;
    RefPtr<FunctionInstance> instance;
  };

  const FuncRef function_;
  std::atomic<const Cached*> latest_{nullptr};
  std::mutex mutex_;                                   // Guards cached_. Held briefly, and together with no other lock.
  std::vector<std::unique_ptr<const Cached>> cached_;  // Entries stay, since other threads may read them.
};

}  // namespace tinytf
