#pragma once

#include <vector>

#include "runtime/plan/plan.h"
#include "runtime/step/step_services.h"
#include "runtime/step/stop_check.h"

namespace tinytf {

/// Runs a step with control flow by TensorFlow's rules: a node's outputs are sent to its consumers as tokens, each of
/// which belongs to one iteration of one frame. Consumers of the dead output of a Switch do not run, and send dead
/// tokens in turn. Runs on the calling thread; asynchronous kernels block it only if nothing else is ready. `feeds` are
/// moved from. On success `fetches` has the fetched values; invalid tensors where none arrived. Else returns the first
/// error, with the node's tag, after everything that began has ended. Internal if two values arrive for one fetch.
Status run_dataflow(const Plan& plan, const StepServices& services, StepStopCheck& stop_check,
                    std::vector<Tensor>& feeds, std::vector<Tensor>& fetches);

}  // namespace tinytf
