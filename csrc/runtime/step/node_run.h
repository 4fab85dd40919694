#pragma once

#include "op/guarded.h"
#include "runtime/step/step_services.h"

namespace tinytf {

/// One execution of a node in three parts, so that an asynchronous kernel can take its time in the second: `begin`
/// reads references, the kernel computes with `context`, `end` notifies the observer and takes snapshots of fetched
/// references. Does not release slots. For one thread at a time.
class NodeRun {
 public:
  /// `last_use`: as for KernelContext. `iterations`: for the observer.
  NodeRun(const Program& program, const PlanNode& node, const StepServices& services, Slot* slots, uint64_t last_use,
          Iterations iterations = {})
      : program_(program),
        node_(node),
        services_(services),
        slots_(slots),
        iterations_(std::move(iterations)),
        context_(*node.info, services.to(node), slots, program.input_slots.data() + node.first_input,
                 slots + node.first_output,
                 services.observer != nullptr && services.observer->keeps_inputs() ? 0 : last_use) {
    if (services.observer != nullptr && services.observer->wants_times()) note_start();
  }

  Status begin() { return node_.derefs_begin == node_.derefs_end ? Status() : read_references(); }
  KernelContext& context() { return context_; }
  /// Handles the kernel's result. An error gets the node's tag.
  Status end(Status computed) {
    if (!computed.ok()) return tagged(std::move(computed), node_.info->name);
    if (services_.observer != nullptr) TINYTF_RETURN_IF_ERROR(observe());
    return node_.snapshots_begin == node_.snapshots_end ? Status() : take_snapshots();
  }

  const PlanNode& node() const { return node_; }
  const Iterations& iterations() const { return iterations_; }

 private:
  void note_start();
  Status read_references();
  Status take_snapshots();
  Status observe();
  Status uninitialized(const Deref& deref) const;

  const Program& program_;
  const PlanNode& node_;
  const StepServices& services_;
  Slot* slots_;
  const Iterations iterations_;
  KernelContext context_;
  int64_t start_ns_ = 0;
};

}  // namespace tinytf
