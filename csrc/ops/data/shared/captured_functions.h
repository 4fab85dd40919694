#pragma once

#include <string>
#include <vector>

#include "data/captured_function.h"
#include "ops/data/shared/dataset_kernel.h"

namespace tinytf::ops {

/// The function attrs of a node, each with its captured inputs: those of attr `f` have the types of attr
/// `Tf_other_arguments`, and follow those of the function before.
class FunctionAttrs {
 public:
  FunctionAttrs(KernelInit& init, std::initializer_list<const char*> attrs) {
    for (const char* attr : attrs) {
      functions_.push_back(
          {init.attr<FuncRef>(attr), list_length(init.node(), str_cat("T", attr, "_other_arguments"))});
    }
  }
  /// The functions, with the inputs from index `first` on.
  Result<std::vector<data::CapturedFunction>> capture(const KernelContext& ctx, int first) const {
    std::vector<data::CapturedFunction> captured;
    for (const auto& [function, inputs] : functions_) {
      TINYTF_ASSIGN_OR_RETURN(data::CapturedFunction one,
                              data::CapturedFunction::of(ctx, function, inputs_between(ctx, first, inputs)));
      captured.push_back(std::move(one));
      first += inputs;
    }
    return captured;
  }

 private:
  struct Function {
    FuncRef function;
    int inputs = 0;
  };
  std::vector<Function> functions_;
};

using BoundFunctions = std::vector<std::unique_ptr<data::BoundFunction>>;

/// Instances of the functions, for one iterator.
inline Result<BoundFunctions> bind_all(const IteratorContext& ctx,
                                       const std::vector<data::CapturedFunction>& functions) {
  BoundFunctions bound;
  for (const data::CapturedFunction& function : functions) {
    TINYTF_ASSIGN_OR_RETURN(std::unique_ptr<data::BoundFunction> one, function.bind(ctx));
    bound.push_back(std::move(one));
  }
  return bound;
}

/// Writes or sets the states of the functions' random operations, a part of a stage's position.
inline Status save_all(const BoundFunctions& functions, const StateWriter& state) {
  for (size_t i = 0; i < functions.size(); ++i) {
    TINYTF_RETURN_IF_ERROR(functions[i]->save(state.inside(str_cat("function_", i))));
  }
  return Status();
}
inline Status restore_all(const BoundFunctions& functions, const StateReader& state) {
  for (size_t i = 0; i < functions.size(); ++i) {
    TINYTF_RETURN_IF_ERROR(functions[i]->restore(state.inside(str_cat("function_", i))));
  }
  return Status();
}

/// The only value of a function's results: the scalar int64 that the function in attr `attr` must return.
inline Result<int64_t> int64_result(const Element& results, const char* attr) {
  if (results.size() == 1 && results[0].dtype() == DType::kInt64 && results[0].num_elements() == 1) {
    return results[0].int_at(0);
  }
  return invalid_argument("`", attr, "` must return a scalar int64.");
}

}  // namespace tinytf::ops
