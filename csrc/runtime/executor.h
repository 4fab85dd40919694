#pragma once

#include <vector>

#include "runtime/plan.h"

namespace tinytf {

/// Runs one step of a plan on the calling thread (kernels may split their loops over `services.parallel`). `feeds` are moved
/// from. On success `fetches` holds the fetched values; on failure the first error, with the node's tag. Whatever happens,
/// no value of the step is left in `slots` but the plan's constants.
Status execute(const Plan& plan, const StepServices& services, std::vector<Slot>& slots, std::vector<Tensor>& feeds,
               std::vector<Tensor>& fetches);

}  // namespace tinytf
