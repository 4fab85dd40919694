#pragma once

#include "op/function_runner.h"
#include "runtime/eager/eager_kernel.h"

namespace tinytf {

/// Runs the functions that one kernel names, for one operation of a session. The state of their nodes belongs to the
/// session.
class EagerFunctions final : public FunctionRunner {
 public:
  /// `session`: the id of all such runners of the session. `threads`: the number of threads of one kernel in functions.
  EagerFunctions(uint64_t session, const EagerKernel& kernel, int threads)
      : FunctionRunner(session), kernel_(kernel), threads_(threads) {}

  Result<RefPtr<FunctionInstance>> instantiate(const FuncRef& function, const KernelServices& step,
                                               FunctionOwner owner = {}) override;
  Result<RefPtr<FunctionSource>> source(const FuncRef& function) override;

 private:
  /// NotFound if the kernel does not name the function, or there was none when the kernel was made.
  Result<FunctionRuntime*> runtime_of(const FuncRef& function) const;

  const EagerKernel& kernel_;
  const int threads_;
};

}  // namespace tinytf
