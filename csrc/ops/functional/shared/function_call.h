#pragma once

#include <string>
#include <vector>

#include "op/function_callee.h"
#include "op/registration.h"

namespace tinytf::ops {

/// Calls a function that was not inlined into the plan, for `owner` as FunctionRunner::instantiate says. Fails as
/// FunctionCallee::instance and FunctionInstance::run do, and if the result dtypes differ from `expected`.
inline Status call_function(const KernelContext& ctx, FunctionCallee& callee, std::vector<Tensor> arguments,
                            const std::vector<ArgType>& expected, std::vector<Tensor>& results,
                            FunctionOwner owner = {}) {
  TINYTF_ASSIGN_OR_RETURN(FunctionInstance* const function, callee.instance(ctx.step(), owner));
  TINYTF_RETURN_IF_ERROR(function->run(ctx.step(), arguments, results));
  const std::string& name = callee.function().name;
  if (results.size() != expected.size()) {
    return invalid_argument("Function ", name, " yields ", results.size(), " values, not ", expected.size());
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    if (results[i].dtype() == expected[i].dtype) continue;
    return invalid_argument("Value ", i, " of function ", name, " is ", dtype_name(results[i].dtype()),
                            ", but expects ", dtype_name(expected[i].dtype));
  }
  return Status();
}

/// The inputs of the kernel from index `first` on.
inline std::vector<Tensor> inputs_from(const KernelContext& ctx, int first) {
  std::vector<Tensor> inputs;
  inputs.reserve(static_cast<size_t>(ctx.num_inputs() - first));
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
