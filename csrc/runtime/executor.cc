#include "runtime/executor.h"

namespace tinytf {

namespace {

Status uninitialized(const PlanNode& node, int32_t slot, const Plan& plan) {
  // The reference's own node is the one the message names.
  for (const PlanNode& producer : plan.nodes) {
    if (slot >= producer.first_output && slot < producer.first_output + producer.origin->num_outputs()) {
      return failed_precondition("Attempting to use uninitialized value ", producer.info->name).at_node(node.info->name);
    }
  }
  return failed_precondition("Attempting to use uninitialized value").at_node(node.info->name);
}

Status read_references(const Plan& plan, const PlanNode& node, Slot* slots) {
  for (int32_t i = node.derefs_begin; i < node.derefs_end; ++i) {
    const Deref& deref = plan.derefs[i];
    RefVariable& variable = *slots[deref.from].ref;
    std::lock_guard lock(variable.mutex);
    if (!variable.tensor.valid() && !node.info->op->allows_uninitialized_input) return uninitialized(node, deref.from, plan);
    slots[deref.to].tensor = variable.tensor;
  }
  return Status();
}

/// A fetched reference yields the value right after its node ran, whatever the rest of the step does to the variable.
Status take_snapshots(const Plan& plan, const PlanNode& node, Slot* slots, Allocator& allocator) {
  for (int32_t i = node.snapshots_begin; i < node.snapshots_end; ++i) {
    const Deref& snapshot = plan.snapshots[i];
    RefVariable& variable = *slots[snapshot.from].ref;
    std::lock_guard lock(variable.mutex);
    if (!variable.tensor.valid()) return uninitialized(node, snapshot.from, plan);
    TINYTF_ASSIGN_OR_RETURN(slots[snapshot.to].tensor, variable.tensor.clone(allocator));
  }
  return Status();
}

Status run_nodes(const Plan& plan, const StepServices& services, Slot* slots) {
  for (const PlanNode& node : plan.nodes) {
    if (services.cancellation->cancelled()) return Status(Code::kCancelled, "Run call was cancelled");
    if (node.derefs_begin != node.derefs_end) TINYTF_RETURN_IF_ERROR(read_references(plan, node, slots));
    KernelContext ctx(*node.info, services, slots, plan.input_slots.data() + node.first_input, slots + node.first_output,
                      node.last_use);
    Status status = node.kernel->compute(ctx);
    if (!status.ok()) return status.at_node(node.info->name);
    if (node.snapshots_begin != node.snapshots_end) {
      TINYTF_RETURN_IF_ERROR(take_snapshots(plan, node, slots, *services.allocator));
    }
    for (int32_t i = node.releases_begin; i < node.releases_end; ++i) slots[plan.releases[i]].tensor = Tensor();
  }
  return Status();
}

}  // namespace

Status execute(const Plan& plan, const StepServices& services, std::vector<Slot>& slots, std::vector<Tensor>& feeds,
               std::vector<Tensor>& fetches) {
  for (size_t i = 0; i < feeds.size(); ++i) {
    if (plan.feed_slots[i] >= 0) slots[plan.feed_slots[i]].tensor = std::move(feeds[i]);
  }
  Status status = run_nodes(plan, services, slots.data());
  if (status.ok()) {
    fetches.reserve(plan.fetch_slots.size());
    for (int32_t slot : plan.fetch_slots) fetches.push_back(slots[slot].tensor);
    for (int32_t slot : plan.fetch_slots) slots[slot].tensor = Tensor();
  } else {
    for (Slot& slot : slots) slot.tensor = Tensor();
  }
  // Fetched constants were cleared with the rest.
  if (!status.ok() || !plan.constants.empty()) {
    for (const auto& [slot, value] : plan.constants) {
      if (!slots[slot].tensor.valid()) slots[slot].tensor = value;
    }
  }
  return status;
}

}  // namespace tinytf
