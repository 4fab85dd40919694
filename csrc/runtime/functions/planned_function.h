#pragma once

#include <string>
#include <vector>

#include "op/function_runner.h"
#include "runtime/plan/plan.h"

namespace tinytf {

/// A function of a FunctionRuntime with its plan. Functions that it calls are run by the same runtime.
class PlannedFunction final : public FunctionInstance {
 public:
  /// `threads`: the number of threads of one kernel. `runner`: of the functions that it calls; must live until clear().
  PlannedFunction(std::string name, RefPtr<Plan> plan, int threads, FunctionRunner& runner);

  Status run(const KernelServices& step, std::vector<Tensor>& arguments, std::vector<Tensor>& results) override;
  bool maps_rows(size_t row_arguments) const override;
  /// Frees the plan, whose kernels may refer to this function. No call may be running; later ones fail.
  void clear() { plan_ = nullptr; }

 private:
  Status check(const std::vector<Tensor>& arguments) const;

  const std::string name_;
  const int threads_;
  FunctionRunner& runner_;
  RefPtr<Plan> plan_;
};

}  // namespace tinytf
