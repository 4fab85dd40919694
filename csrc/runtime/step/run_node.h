#pragma once

#include "runtime/step/node_run.h"

namespace tinytf {

/// Runs a node with a synchronous kernel on the calling thread and notifies the observer. `last_use`: as for
/// KernelContext. Errors have the node's tag. Does not release slots.
inline Status run_watched_node(const Program& program, const PlanNode& node, const StepServices& services, Slot* slots,
                               uint64_t last_use, Iterations iterations = {}) {
  NodeRun run(program, node, services, slots, last_use, std::move(iterations));
  return guarded([&] {
    TINYTF_RETURN_IF_ERROR(run.begin());
    return run.end(compute_guarded(*node.kernel, run.context()));
  });
}

/// As run_watched_node, for nodes outside of loops and for steps without observer. Steps run all synchronous kernels
/// through these two functions. Inlined into the loops of the interpreters.
[[gnu::always_inline]] inline Status run_node(const Program& program, const PlanNode& node,
                                              const StepServices& services, Slot* slots, uint64_t last_use) {
  if (!node.is_plain || services.observer != nullptr) return run_watched_node(program, node, services, slots, last_use);
  KernelContext ctx(*node.info, services.to(node), slots, program.input_slots.data() + node.first_input,
                    slots + node.first_output, last_use);
  Status status = compute_guarded(*node.kernel, ctx);
  return status.ok() ? status : tagged(std::move(status), node.info->name);
}

}  // namespace tinytf
