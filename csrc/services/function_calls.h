#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "tensor/tensor.h"

namespace tinytf {

/// A node's call of a function that the program has registered under a token.
struct FunctionCall {
  struct Input {
    const Tensor* value;
    bool may_change;  ///< nobody reads the value's memory afterwards, so the function may write to it
  };
  const std::string& token;
  const std::vector<Input>& inputs;
  Allocator& allocator;  ///< for results
};

/// Calls the function and appends what it returned. For any thread of a step, under no lock; takes as long as the
/// function does, which may run steps itself.
using FunctionCaller = Status (*)(const FunctionCall& call, std::vector<Tensor>& results);

/// Who calls functions. Set once, before the first step; until then every call fails.
void set_function_caller(FunctionCaller caller);
Status call_function(const FunctionCall& call, std::vector<Tensor>& results);

}  // namespace tinytf
