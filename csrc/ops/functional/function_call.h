#pragma once

#include <vector>

#include "op/function_runner.h"
#include "op/registration.h"

namespace tinytf::ops {

/// Calls a function that did not become a part of the plan, for `owner` as FunctionRunner::run does. FailedPrecondition
/// outside of steps; fails as that does, and if it yields other types than `expected`.
inline Status call_function(const KernelContext& ctx, const FuncRef& function, std::vector<Tensor> arguments,
                            const std::vector<ArgType>& expected, std::vector<Tensor>& results,
                            FunctionOwner owner = {}) {
  FunctionRunner* functions = ctx.step().functions;
  if (functions == nullptr) return failed_precondition("Function ", function.name, " can only be called in steps");
  TINYTF_RETURN_IF_ERROR(functions->run(function, ctx.step(), std::move(arguments), results, owner));
  if (results.size() != expected.size()) {
    return invalid_argument("Function ", function.name, " yields ", results.size(), " values, not ", expected.size());
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    if (results[i].dtype() == expected[i].dtype) continue;
    return invalid_argument("Value ", i, " of function ", function.name, " is ", dtype_name(results[i].dtype()),
                            ", but expects ", dtype_name(expected[i].dtype));
  }
  return Status();
}

/// The kernel's inputs from `first` on.
inline std::vector<Tensor> inputs_from(const KernelContext& ctx, int first) {
  std::vector<Tensor> inputs;
  for (int i = first; i < ctx.num_inputs(); ++i) inputs.push_back(ctx.input(i));
  return inputs;
}

/// The kernel yields these.
inline void set_outputs(KernelContext& ctx, std::vector<Tensor> values) {
  for (int i = 0; i < ctx.num_outputs(); ++i) ctx.set_output(i, std::move(values[i]));
}

/// Whether a value counts as true: a number that is not 0, a text that is not empty, a tensor with elements. Fails for
/// scalars of other types.
Result<bool> truth(const Tensor& value);

/// The same of the condition of a node; InvalidArgument, where TensorFlow lowers such nodes, unless it is a scalar
/// bool.
Result<bool> condition(const NodeInfo& node, const Tensor& value);

}  // namespace tinytf::ops
