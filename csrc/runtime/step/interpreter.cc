#include "runtime/step/interpreter.h"

#include "runtime/step/run_node.h"

namespace tinytf {

Status interpret(Plan& plan, const StepLoan& loan, Slot* slots, StepWatch& watch) {
  const Program& program = plan.program();
  PlanProfile& profile = plan.profile();
  MeasuredStep step(program, profile);
  const bool measure = step.is_measured();
  const bool watchful = step.is_early() || watch.has_deadline() || profile.is_long.load(std::memory_order_relaxed);
  int32_t n = 0;
  for (size_t u = 0; u < program.units.size(); ++u) {
    const auto begin = measure ? MeasuredStep::Clock::now() : MeasuredStep::Clock::time_point();
    for (const int32_t end = program.units[u].end; n < end; ++n) {
      const PlanNode& node = program.nodes[n];
      if (loan.cancellation->cancelled()) return watch.ended().ok() ? step_cancelled() : watch.ended();
      Status status = run_node(program, node, loan, slots, node.last_use);
      if (!status.ok()) return watch.ended().ok() ? status : watch.ended();
      for (int32_t i = node.releases_begin; i < node.releases_end; ++i) slots[program.releases[i]].tensor = Tensor();
      if (watchful || n % 16 == 15) {
        TINYTF_RETURN_IF_ERROR(watch.look());
        // Larger feeds than before can make a short step long.
        if (!watchful && watch.since_last_look().count() >= kLongStepNs) profile.is_long = true;
      }
    }
    if (measure) step.note(u, begin);
  }
  step.end();
  return loan.cancellation->cancelled() ? step_cancelled() : Status();
}

}  // namespace tinytf
