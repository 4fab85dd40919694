#pragma once

#include <vector>

#include "op/kernel.h"

namespace tinytf {

/// The kernel, and the index of its function, for which the state of a function's nodes is kept between calls. Without
/// a kernel, all calls of the function share this state.
struct FunctionOwner {
  const Kernel* kernel = nullptr;
  int branch = 0;
};

/// Runs functions of the graph for kernels that call them. Lent by a step. Thread-safe.
class FunctionRunner {
 public:
  /// Runs the function on the calling thread, as a part of the step and of the loops around the caller: an event that
  /// ends the step ends the function. `arguments` are moved from; on success `results` holds the function's results.
  /// NotFound if the graph has no such function, InvalidArgument if the arguments do not match its signature,
  /// ResourceExhausted if calls nest too deeply, else the error of one of its nodes. The kernel in `owner` belongs to
  /// the same session.
  virtual Status run(const FuncRef& function, const KernelServices& step, std::vector<Tensor> arguments,
                     std::vector<Tensor>& results, FunctionOwner owner = {}) = 0;

 protected:
  ~FunctionRunner() = default;
};

}  // namespace tinytf
