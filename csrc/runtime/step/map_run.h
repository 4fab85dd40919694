#pragma once

#include "runtime/plan/plan.h"
#include "runtime/step/step_loan.h"

namespace tinytf {

/// Nanoseconds that an iteration must take for other threads to be asked: arrays have a lock.
inline constexpr double kWorthMapping = 2000;

/// Runs what is left of a loop that maps (CodeLoop::map), whose variables are in `memory`, on the threads of the step,
/// with the caller's among them. Then the variables are what they are after the last iteration: who goes on finds that
/// the loop is over. Does nothing where the loop has no iterations left, or reads and writes one array. The error of an
/// iteration is that of the first that fails, as far as others did not end before. `loop`: in ProgramCode::loops;
/// `cost`: nanoseconds of an iteration; `watch`: of the calling thread, may be null.
Status run_map(Plan& plan, const StepLoan& loan, StepSlots& memory, int32_t unit, int32_t loop, double cost,
               StepWatch* watch);

}  // namespace tinytf
