#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "tensor/tensor.h"

namespace tinytf {

/// A node's call of a user function (tf.py_func), which is registered under a token.
struct FunctionCall {
  struct Input {
    const Tensor* value;
    bool may_change;  ///< the function may write to the value's memory, which is not read afterwards
  };
  const std::string& token;
  const std::vector<Input>& inputs;
  Allocator& allocator;  ///< for results
};

/// Calls the function and appends its results. Called on any thread of a step, without a lock. Takes as long as the
/// function does, which may run steps itself.
using FunctionCaller = Status (*)(const FunctionCall& call, std::vector<Tensor>& results);

/// Sets the implementation of call_function. Set once, before the first step; until then every call fails with
/// FailedPrecondition.
void set_function_caller(FunctionCaller caller);
Status call_function(const FunctionCall& call, std::vector<Tensor>& results);

}  // namespace tinytf
