#pragma once

#include <vector>

#include "runtime/step/interpreter.h"
#include "runtime/step/scheduler.h"

namespace tinytf {

/// Runs one step of a plan. The calling thread runs it alone, in the plan's order, unless nodes may wait or the plan's
/// profile says that threads pay; kernels may split their loops over `loan.parallel` in any case. `feeds` are moved
/// from. On success `fetches` holds the fetched values; on failure the first error, with the node's tag. A
/// step of several threads whose time is up when all its nodes are done has not failed. Whatever happens, every node
/// that began has ended, and no value of the step is left in `memory` but the plan's constants.
Status execute(Plan& plan, const StepLoan& loan, StepSlots& memory, StepThreads threads, StepWatch& watch,
               std::vector<Tensor>& feeds, std::vector<Tensor>& fetches);

}  // namespace tinytf
