#include "runtime/observe/node_states.h"

#include "runtime/plan/plan_loops.h"
#include "tensor/digest.h"

namespace tinytf {

namespace {

/// Calls `visit(name, holder)` for each node whose kernel is a `Holder`, until it fails.
template <class Holder, class Visit>
Status for_each_holder(const Program& program, Visit visit) {
  for (const PlanNode* const node : plan_nodes(program)) {
    auto* holder = dynamic_cast<Holder*>(node->kernel);
    if (holder != nullptr) TINYTF_RETURN_IF_ERROR(visit(node->info->name, *holder));
  }
  return Status();
}

Status no_variable(const std::string& node) { return not_found("No variable '", node, "' in this call"); }

}  // namespace

std::vector<std::pair<std::string, RandomStateHolder::State>> random_states(const Program& program) {
  std::vector<std::pair<std::string, RandomStateHolder::State>> states;
  for (const PlanNode* const node : plan_nodes(program)) {
    const auto* holder = dynamic_cast<RandomStateHolder*>(node->kernel);
    if (holder != nullptr) states.emplace_back(node->info->name, holder->random_state());
  }
  return states;
}

Status set_random_state(const Program& program, const std::string& node, const RandomStateHolder::State& state) {
  bool found = false;
  TINYTF_RETURN_IF_ERROR(
      for_each_holder<RandomStateHolder>(program, [&](const std::string& name, RandomStateHolder& holder) {
        if (name != node) return Status();
        holder.set_random_state(state);
        found = true;
        return Status();
      }));
  return found ? Status() : not_found("No node '", node, "' with random numbers in this call");
}

Result<std::vector<NodeVariable>> variables(const Program& program, ResourceManager& resources) {
  std::vector<NodeVariable> found;
  TINYTF_RETURN_IF_ERROR(for_each_holder<VariableHolder>(program, [&](const std::string& name, VariableHolder& holder) {
    TINYTF_ASSIGN_OR_RETURN(Tensor value, holder.variable_value(resources));
    found.push_back({name, holder.variable_dtype(), std::move(value)});
    return Status();
  }));
  return found;
}

Result<std::vector<NodeVariable>> held_variables(const Program& program, ResourceManager& resources) {
  std::vector<NodeVariable> found;
  TINYTF_RETURN_IF_ERROR(for_each_holder<VariableHolder>(program, [&](const std::string& name, VariableHolder& holder) {
    TINYTF_ASSIGN_OR_RETURN(Tensor value, holder.hold_value(resources));
    found.push_back({name, holder.variable_dtype(), std::move(value)});
    return Status();
  }));
  return found;
}

Result<std::vector<std::pair<std::string, uint64_t>>> variable_digests(const Program& program,
                                                                       ResourceManager& resources) {
  std::vector<std::pair<std::string, uint64_t>> digests;
  TINYTF_RETURN_IF_ERROR(for_each_holder<VariableHolder>(program, [&](const std::string& name, VariableHolder& holder) {
    TINYTF_ASSIGN_OR_RETURN(const Tensor value, holder.variable_value(resources));
    digests.emplace_back(name, digest(value));
    return Status();
  }));
  return digests;
}

Result<DType> variable_dtype(const Program& program, const std::string& node) {
  for (const PlanNode* const candidate : plan_nodes(program)) {
    const auto* holder = dynamic_cast<VariableHolder*>(candidate->kernel);
    if (holder != nullptr && candidate->info->name == node) return holder->variable_dtype();
  }
  return no_variable(node);
}

Status set_variable(const Program& program, const std::string& node, ResourceManager& resources, Allocator& allocator,
                    const Tensor& value) {
  bool found = false;
  TINYTF_RETURN_IF_ERROR(for_each_holder<VariableHolder>(program, [&](const std::string& name, VariableHolder& holder) {
    if (name != node) return Status();
    if (value.dtype() != holder.variable_dtype()) {
      return invalid_argument("Variable '", node, "' is ", dtype_name(holder.variable_dtype()), ", not ",
                              dtype_name(value.dtype()));
    }
    found = true;
    TINYTF_ASSIGN_OR_RETURN(Tensor own, value.clone(allocator));
    return holder.set_variable_value(resources, std::move(own));
  }));
  return found ? Status() : no_variable(node);
}

}  // namespace tinytf
