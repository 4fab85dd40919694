#pragma once

#include <vector>

#include "op/kernel.h"

namespace tinytf {

/// For which kernel a function keeps what it keeps from call to call, and as which of the kernel's functions. None: for
/// all calls of it together.
struct FunctionOwner {
  const Kernel* kernel = nullptr;
  int branch = 0;
};

/// Runs functions of the graph for kernels that call them: lent by a step, as its threads are. Thread-safe.
class FunctionRunner {
 public:
  /// Runs the function on the calling thread, as a part of the step, and of those of its loops: what ends the step ends
  /// the function. `arguments` are taken over; on success `results` holds what the function yields. NotFound if the
  /// graph has no such function, InvalidArgument for other arguments than it takes, ResourceExhausted for a function
  /// that calls itself without end; else the error of one of its nodes. The kernel of `owner` is one of the same
  /// session.
  virtual Status run(const FuncRef& function, const StepServices& step, std::vector<Tensor> arguments,
                     std::vector<Tensor>& results, FunctionOwner owner = {}) = 0;

 protected:
  ~FunctionRunner() = default;
};

}  // namespace tinytf
