#include "runtime/step/interpreter.h"

#include "runtime/plan/bytecode.h"
#include "runtime/step/bytecode_interpreter.h"
#include "runtime/step/map_run.h"
#include "runtime/step/run_node.h"

namespace tinytf {

namespace {

/// Runs one step on the calling thread.
class Interpreter {
 public:
  Interpreter(Plan& plan, const StepServices& services, Slot* slots, StepStopCheck& stop_check, bool watchful)
      : program_(plan.program()),
        profile_(plan.profile()),
        services_(services),
        slots_(slots),
        stop_check_(stop_check),
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
  [[gnu::always_inline]] Status run(const PlanNode& node) {
    if (services_.cancellation->cancelled()) return stop_check_.ended().ok() ? step_cancelled() : stop_check_.ended();
    Status status = run_node(program_, node, services_, slots_, node.last_use);
    if (!status.ok()) return stop_check_.ended().ok() ? status : stop_check_.ended();
    for (int32_t i = node.releases_begin; i < node.releases_end; ++i) slots_[program_.releases[i]].tensor = Tensor();
    return Status();
  }

  Status look() {
    TINYTF_RETURN_IF_ERROR(stop_check_.look());
    // Larger feeds than before can make a short step long.
    if (!watchful_ && stop_check_.since_last_look().count() >= kLongStepNs) profile_.is_long = true;
    return Status();
  }

  const Program& program_;
  PlanProfile& profile_;
  const StepServices& services_;
  Slot* const slots_;
  StepStopCheck& stop_check_;
  const bool watchful_;
};

/// Runs a whole step of a program with bytecode. A measured step runs unit by unit.
Status interpret_bytecode(Plan& plan, const StepServices& services, StepSlots& memory, StepStopCheck& stop_check,
                          bool watchful, MeasuredStep* measured) {
  BytecodeInterpreter interpreter(plan, services, memory, BytecodeInterpreter::kAllUnits, &stop_check, watchful,
                                  run_map);
  BytecodePlace place;
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

Status interpret(Plan& plan, const StepServices& services, StepSlots& memory, StepStopCheck& stop_check) {
  const Program& program = plan.program();
  MeasuredStep step(program, plan.profile());
  const bool is_long = plan.profile().is_long.load(std::memory_order_relaxed);
  const bool watchful = step.is_early() || stop_check.has_deadline() || is_long;
  if (program.code != nullptr) {
    TINYTF_RETURN_IF_ERROR(
        interpret_bytecode(plan, services, memory, stop_check, watchful, step.is_measured() ? &step : nullptr));
  } else {
    Interpreter interpreter(plan, services, memory.slots.data(), stop_check, watchful);
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
  return services.cancellation->cancelled() ? step_cancelled() : Status();
}

}  // namespace tinytf
