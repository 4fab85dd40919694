#pragma once

#include "runtime/plan/plan.h"
#include "runtime/step/step_services.h"

namespace tinytf {

/// Runs the remaining iterations of a loop with independent iterations (BytecodeLoop::map) on the step's threads,
/// including the caller's. The loop variables in `memory` get their final values, so the caller then finds the loop
/// finished. Does nothing if no iterations are left, or if the loop reads and writes the same array. If iterations
/// fail, returns the error of the first of them in iteration order; later iterations may not have run. `loop`: index in
/// Bytecode::loops; `cost`: nanoseconds per iteration; `stop_check`: of the calling thread, may be null.
Status run_map(Plan& plan, const StepServices& services, StepSlots& memory, int32_t unit, int32_t loop, double cost,
               StepStopCheck* stop_check);

}  // namespace tinytf
