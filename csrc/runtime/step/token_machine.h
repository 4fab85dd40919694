#pragma once

#include <vector>

#include "runtime/plan/plan.h"
#include "runtime/step/step_loan.h"
#include "runtime/step/step_watch.h"

namespace tinytf {

/// Runs a step of a program in which not every node runs once, by TensorFlow's rules: what a node yields goes to those
/// who wait for it as a token, of one iteration of one frame; where a Switch sends nothing, those run not, and tell
/// theirs. On the calling thread; kernels that wait hold it only when nothing else can run. `feeds` are moved from. On
/// success `fetches` holds the fetched values, invalid tensors where none came; else the first error, with the node's
/// tag, after all that began has ended. Internal for a fetch to which two values came.
Status run_tokens(const Plan& plan, const StepLoan& loan, StepWatch& watch, std::vector<Tensor>& feeds,
                  std::vector<Tensor>& fetches);

}  // namespace tinytf
