#pragma once

#include "runtime/plan/plan.h"
#include "runtime/step/step_loan.h"
#include "runtime/step/step_watch.h"

namespace tinytf {

/// Of a step that notices between its nodes, or at its end, that it was cancelled.
inline Status step_cancelled() { return Status(Code::kCancelled, "Run call was cancelled"); }

/// Runs a program's nodes, none of which waits, in its order on the calling thread. The first steps are measured for
/// the plan's profile.
Status interpret(Plan& plan, const StepLoan& loan, StepSlots& memory, StepWatch& watch);

}  // namespace tinytf
