#include "runtime/step/node_run.h"

#include <chrono>

namespace tinytf {

void NodeRun::note_start() {
  start_ns_ =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Status NodeRun::uninitialized(const Deref& deref) const {
  const std::string output = deref.output == 0 ? std::string() : str_cat(":", deref.output);
  return failed_precondition("Attempting to use uninitialized value ", deref.source->name, output)
      .at_node(node_.info->name);
}

Status NodeRun::read_references() {
  for (int32_t i = node_.derefs_begin; i < node_.derefs_end; ++i) {
    const Deref& deref = program_.derefs[i];
    if (slots_[deref.from].ref == nullptr) continue;  // A dead input of a Merge.
    RefVariable& variable = *slots_[deref.from].ref;
    std::lock_guard lock(variable.mutex);
    const bool is_wanted = deref.to >= 0 || !node_.info->op->allows_uninitialized_input;
    if (is_wanted && !variable.tensor.valid()) return uninitialized(deref);
    if (deref.to >= 0) slots_[deref.to].tensor = variable.tensor;
  }
  return Status();
}

/// The snapshot of a fetched update is the value right after its node ran, regardless of later updates in the step. A
/// fetched variable is read at the end of the step.
Status NodeRun::take_snapshots() {
  for (int32_t i = node_.snapshots_begin; i < node_.snapshots_end; ++i) {
    const Deref& snapshot = program_.snapshots[i];
    if (slots_[snapshot.from].ref == nullptr) continue;  // A dead output of a Switch.
    RefVariable& variable = *slots_[snapshot.from].ref;
    std::lock_guard lock(variable.mutex);
    if (!variable.tensor.valid()) return uninitialized(snapshot);
    if (snapshot.source->op->has(Trait::kVariable)) {
      slots_[snapshot.to].ref = &variable;
      continue;
    }
    TINYTF_ASSIGN_OR_RETURN(slots_[snapshot.to].tensor, variable.tensor.clone(*services_.allocator));
  }
  return Status();
}

Status NodeRun::observe() {
  Status status = services_.observer->after(context_, start_ns_, iterations_);
  return status.ok() ? status : status.at_node(node_.info->name);
}

}  // namespace tinytf
