#include "runtime/step/interpreter.h"

#include "runtime/plan/code.h"
#include "runtime/step/code_interpreter.h"
#include "runtime/step/run_node.h"

namespace tinytf {

namespace {

/// Runs one step on the calling thread.
class Interpreter {
 public:
  Interpreter(Plan& plan, const StepLoan& loan, Slot* slots, StepWatch& watch, bool watchful)
      : program_(plan.program()),
        profile_(plan.profile()),
        loan_(loan),
        slots_(slots),
        watch_(watch),
        watchful_(watchful) {}

  /// Runs the nodes [begin, end) in order.
  Status run(size_t begin, size_t end) {
    for (size_t n = begin; n < end; ++n) {
      TINYTF_RETURN_IF_ERROR(run(program_.nodes[n]));
      if (watchful_ || n % 16 == 15) TINYTF_RETURN_IF_ERROR(look());
    }
    return Status();
  }

 private:
  Status run(const PlanNode& node) {
    if (loan_.cancellation->cancelled()) return watch_.ended().ok() ? step_cancelled() : watch_.ended();
    Status status = run_node(program_, node, loan_, slots_, node.last_use);
    if (!status.ok()) return watch_.ended().ok() ? status : watch_.ended();
    for (int32_t i = node.releases_begin; i < node.releases_end; ++i) slots_[program_.releases[i]].tensor = Tensor();
    return Status();
  }

  Status look() {
    TINYTF_RETURN_IF_ERROR(watch_.look());
    // Larger feeds than before can make a short step long.
    if (!watchful_ && watch_.since_last_look().count() >= kLongStepNs) profile_.is_long = true;
    return Status();
  }

  const Program& program_;
  PlanProfile& profile_;
  const StepLoan& loan_;
  Slot* const slots_;
  StepWatch& watch_;
  const bool watchful_;
};

/// Runs a whole step of a program with bytecode. A measured step runs unit by unit.
Status interpret_code(Plan& plan, const StepLoan& loan, StepSlots& memory, StepWatch& watch, bool watchful,
                      MeasuredStep* measured) {
  CodeInterpreter interpreter(plan, loan, memory, CodeInterpreter::kAllUnits, &watch, watchful);
  CodePlace place;
  if (measured == nullptr)
    return interpreter.run(place, static_cast<int32_t>(plan.program().code->instructions.size()));
  for (size_t u = 0; u < plan.program().units.size(); ++u) {
    const auto begin = MeasuredStep::Clock::now();
    TINYTF_RETURN_IF_ERROR(interpreter.run(place, plan.program().units[u].code_end));
    measured->note(u, begin);
  }
  return Status();
}

}  // namespace

Status interpret(Plan& plan, const StepLoan& loan, StepSlots& memory, StepWatch& watch) {
  const Program& program = plan.program();
  MeasuredStep step(program, plan.profile());
  const bool is_long = plan.profile().is_long.load(std::memory_order_relaxed);
  const bool watchful = step.is_early() || watch.has_deadline() || is_long;
  if (program.code != nullptr) {
    TINYTF_RETURN_IF_ERROR(interpret_code(plan, loan, memory, watch, watchful, step.is_measured() ? &step : nullptr));
  } else {
    Interpreter interpreter(plan, loan, memory.slots.data(), watch, watchful);
    if (step.is_measured()) {
      for (size_t u = 0; u < program.units.size(); ++u) {
        const auto begin = MeasuredStep::Clock::now();
        TINYTF_RETURN_IF_ERROR(interpreter.run(program.units[u].begin, program.units[u].end));
        step.note(u, begin);
      }
    } else {
      TINYTF_RETURN_IF_ERROR(interpreter.run(0, program.nodes.size()));
    }
  }
  step.end();
  return loan.cancellation->cancelled() ? step_cancelled() : Status();
}

}  // namespace tinytf
