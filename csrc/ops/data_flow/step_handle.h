#pragma once

#include <string>

#include "op/kernel.h"

/// Handles of what lives in one step: stacks, tensor arrays. Three generations of ops pass them in three ways, and
/// kernels serve all of them:
///   - a resource, which keeps the state alive;
///   - a string vector of two, of which the step's resources find the state;
///   - a reference to such a vector, whose memory the step keeps.
namespace tinytf::ops {

/// What the two strings of a handle say.
struct StepName {
  std::string family;  ///< "_stacks"
  std::string name;    ///< unique in the process

  std::string joined() const { return family + name; }
};

/// Output i becomes a handle to the state, in the way that the op declares: a vector of two in all of them, though a
/// resource is in the first element only.
Status set_step_handle(KernelContext& ctx, int i, const StepName& name, const char* type_name, RefPtr<Resource> state);

/// Whether input 0 is a handle of strings, by value or by reference.
inline bool has_named_handle(const KernelContext& ctx) { return ctx.node().inputs[0].dtype != DType::kResource; }

/// What input 0, a handle of strings, says. `rule` is what the error of one that has not two elements begins with.
Result<StepName> input_step_name(const KernelContext& ctx, const char* rule);

/// What goes by that name in this step; NotFound if nothing of that type does.
Result<Resource*> find_in_step(const KernelContext& ctx, const StepName& name, const char* type_name);

/// The state of that type behind input 0, a resource; `noun` is what errors call it.
Result<Resource*> input_step_resource(const KernelContext& ctx, const char* type_name, const char* noun);

/// The state behind input 0, which the context or the step keeps alive. `State` says how it is called: kTypeName,
/// kNoun, kHandleRule.
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
