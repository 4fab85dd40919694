#pragma once

#include <string>

#include "op/kernel.h"

/// Handles of state that lives in one step: stacks, tensor arrays. Three generations of ops pass them in different
/// ways, and kernels serve all of them:
///   - a resource, which keeps the state alive;
///   - a string vector of two elements, by which the resources of the step find the state;
///   - a reference to such a vector, whose memory the step keeps.
namespace tinytf::ops {

/// The two strings of a handle.
struct StepName {
  std::string family;  ///< "_stacks"
  std::string name;    ///< unique in the process

  std::string joined() const { return family + name; }
};

/// Sets output i to a handle to the state, in the form that the op declares. It always has two elements; a resource is
/// only in the first.
Status set_step_handle(KernelContext& ctx, int i, const StepName& name, const char* type_name, RefPtr<Resource> state);

/// Whether input 0 is a string handle, by value or by reference.
inline bool has_named_handle(const KernelContext& ctx) { return ctx.node().inputs[0].dtype != DType::kResource; }

/// Reads the string handle in input 0. `rule` is the beginning of the error message if it does not have two elements.
Result<StepName> input_step_name(const KernelContext& ctx, const char* rule);

/// Finds state by its name in this step; NotFound if there is none of this type.
Result<Resource*> find_in_step(const KernelContext& ctx, const StepName& name, const char* type_name);

/// The state of this type behind the resource in input 0; `noun` names it in error messages.
Result<Resource*> input_step_resource(const KernelContext& ctx, const char* type_name, const char* noun);

/// The state behind input 0, which the context or the step keeps alive. `State` declares kTypeName, kNoun and
/// kHandleRule.
template <class State>
Result<State*> input_step_state(const KernelContext& ctx) {
  if (!has_named_handle(ctx)) {
    TINYTF_ASSIGN_OR_RETURN(Resource * state, input_step_resource(ctx, State::kTypeName, State::kNoun));
    return static_cast<State*>(state);
  }
  TINYTF_ASSIGN_OR_RETURN(const StepName name, input_step_name(ctx, State::kHandleRule));
  TINYTF_ASSIGN_OR_RETURN(Resource * state, find_in_step(ctx, name, State::kTypeName));
  return static_cast<State*>(state);
}

}  // namespace tinytf::ops
