#pragma once

#include <vector>

#include "runtime/plan.h"
#include "services/thread_pool.h"

namespace tinytf {

/// Runs one step of a plan. The calling thread runs it alone, in the plan's order, unless the plan's profile says that
/// threads pay and `pool` is given; kernels may split their loops over `services.parallel` in any case. `feeds` are
/// moved from. On success `fetches` holds the fetched values; on failure the first error, with the node's tag. Whatever
/// happens, no value of the step is left in `memory` but the plan's constants.
Status execute(Plan& plan, const StepServices& services, StepSlots& memory, ThreadPool* pool,
               std::vector<Tensor>& feeds, std::vector<Tensor>& fetches);

/// The nodes alone, on the calling thread; with `profile`, measures them.
Status run_sequentially(Plan& plan, const StepServices& services, Slot* slots, bool profile);
/// The nodes alone, on the calling thread and threads of `pool`.
Status run_threaded(Plan& plan, const StepServices& services, StepSlots& memory, ThreadPool& pool);

/// One node: reads references, computes, takes snapshots. `last_use` as in KernelContext. Releases nothing.
Status run_node(const Plan& plan, const PlanNode& node, const StepServices& services, Slot* slots, uint64_t last_use);

/// Decides from measured node times whether threads would shorten a step.
bool threads_would_pay(const Plan& plan);

}  // namespace tinytf
