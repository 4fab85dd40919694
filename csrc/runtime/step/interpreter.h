#pragma once

#include "runtime/plan/plan.h"
#include "runtime/step/step_services.h"
#include "runtime/step/stop_check.h"

namespace tinytf {

/// Runs a program without asynchronous kernels in order, on the calling thread. The first steps are measured for the
/// plan's profile.
Status interpret(Plan& plan, const StepServices& services, StepSlots& memory, StepStopCheck& stop_check);

}  // namespace tinytf
