#pragma once

#include <vector>

#include "op/function_runner.h"
#include "op/registration.h"

namespace tinytf::ops {

/// Calls a function that was not inlined into the plan, for `owner` as FunctionRunner::run does. Fails as that does,
/// with FailedPrecondition outside of steps, and if the result dtypes differ from `expected`.
inline Status call_function(const KernelContext& ctx, const FuncRef& function, std::vector<Tensor> arguments,
                            const std::vector<ArgType>& expected, std::vector<Tensor>& results,
                            FunctionOwner owner = {}) {
  FunctionRunner* functions = ctx.step().functions;
  if (functions == nullptr)
    return failed_precondition("Function ", function.name, " can only be called while a step runs");
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

/// The inputs of the kernel from index `first` on.
inline std::vector<Tensor> inputs_from(const KernelContext& ctx, int first) {
  std::vector<Tensor> inputs;
  for (int i = first; i < ctx.num_inputs(); ++i) inputs.push_back(ctx.input(i));
  return inputs;
}

/// Sets the outputs of the kernel to `values`.
inline void set_outputs(KernelContext& ctx, std::vector<Tensor> values) {
  for (int i = 0; i < ctx.num_outputs(); ++i) ctx.set_output(i, std::move(values[i]));
}

/// The truth value of a tensor: a scalar number is true unless it is 0, a scalar string unless it is empty, any other
/// tensor if it has elements. InvalidArgument for scalars of other dtypes.
Result<bool> truth(const Tensor& value);

/// The truth value of a node's condition. If TensorFlow lowers such nodes, InvalidArgument unless it is a scalar bool.
Result<bool> condition(const NodeInfo& node, const Tensor& value);

}  // namespace tinytf::ops
