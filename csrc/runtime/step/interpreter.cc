#include "runtime/step/interpreter.h"

#include "runtime/plan/code.h"
#include "runtime/step/run_node.h"

namespace tinytf {

namespace {

/// One step on the calling thread.
class Interpreter {
 public:
  Interpreter(Plan& plan, const StepLoan& loan, Slot* slots, StepWatch& watch, bool watchful)
      : program_(plan.program()),
        profile_(plan.profile()),
        loan_(loan),
        slots_(slots),
        watch_(watch),
        watchful_(watchful) {}

  /// Some nodes, in their order.
  Status run(size_t begin, size_t end) {
    for (size_t n = begin; n < end; ++n) {
      TINYTF_RETURN_IF_ERROR(run(program_.nodes[n]));
      if (watchful_ || n % 16 == 15) TINYTF_RETURN_IF_ERROR(look());
    }
    return Status();
  }

  /// All of a program with code.
  Status run(const ProgramCode& code) {
    const Instruction* const begin = code.instructions.data();
    const Instruction* const end = begin + code.instructions.size();
    uint32_t count = 0;
    for (const Instruction* at = begin; at != end;) {
      switch (at->what) {
        case Instruction::kRun:
          TINYTF_RETURN_IF_ERROR(run(program_.nodes[at->a]));
          if (watchful_ || ++count % 16 == 0) TINYTF_RETURN_IF_ERROR(look());
          ++at;
          break;
        case Instruction::kGuard:
        case Instruction::kTest: {
          const Predicate& predicate = code.predicates[at->a];
          const Tensor& value = slots_[predicate.slot].tensor;
          if (value.rank() != 0) return no_scalar(predicate, value);
          at = value.data<bool>()[0] == predicate.value ? at + 1 : begin + at->b;
          break;
        }
        case Instruction::kMove:
          move(code.moves[at->a]);
          ++at;
          break;
        case Instruction::kSelect:
          select(code.selects[at->a]);
          ++at;
          break;
        case Instruction::kBack:
          move_back(code, code.loops[at->a]);
          if (loan_.cancellation->cancelled()) return watch_.ended().ok() ? step_cancelled() : watch_.ended();
          if (watchful_ || ++count % 16 == 0) TINYTF_RETURN_IF_ERROR(look());
          at = begin + at->b;
          break;
        case Instruction::kClear:
          for (int32_t i = at->a; i < at->b; ++i) slots_[code.cleared[i]].tensor = Tensor();
          ++at;
          break;
      }
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

  static Status no_scalar(const Predicate& predicate, const Tensor& value) {
    return invalid_argument("The second input must be a scalar, but it has shape ", value.shape().to_string())
        .at_node(predicate.by->name);
  }

  void move(const Move& move) {
    Slot& from = slots_[move.from];
    Slot& to = slots_[move.to];
    to.ref = from.ref;
    if (move.is_last) {
      to.tensor = std::move(from.tensor);
      from.tensor = Tensor();
    } else {
      to.tensor = from.tensor;
    }
  }

  void move_back(const ProgramCode& code, const BackMoves& back) {
    if (!back.is_parallel) {
      for (int32_t i = back.begin; i < back.end; ++i) move(code.moves[i]);
      return;
    }
    held_.clear();
    for (int32_t i = back.begin; i < back.end; ++i) held_.push_back(slots_[code.moves[i].from]);
    for (int32_t i = back.begin; i < back.end; ++i) {
      if (code.moves[i].is_last) slots_[code.moves[i].from].tensor = Tensor();
    }
    for (int32_t i = back.begin; i < back.end; ++i) slots_[code.moves[i].to] = std::move(held_[i - back.begin]);
  }

  void select(const Select& select) {
    const bool is_true = slots_[select.predicate].tensor.data<bool>()[0];
    move(is_true ? select.if_true : select.if_false);
    if (select.index_slot < 0) return;
    slots_[select.index_slot].tensor =
        Tensor::scalar<int32_t>(is_true ? select.index_if_true : 1 - select.index_if_true);
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
  std::vector<Slot> held_;  // what goes from variable to variable of a loop
};

}  // namespace

Status interpret(Plan& plan, const StepLoan& loan, Slot* slots, StepWatch& watch) {
  const Program& program = plan.program();
  const bool is_long = plan.profile().is_long.load(std::memory_order_relaxed);
  if (program.code != nullptr) {
    Interpreter interpreter(plan, loan, slots, watch, watch.has_deadline() || is_long);
    TINYTF_RETURN_IF_ERROR(interpreter.run(*program.code));
    return loan.cancellation->cancelled() ? step_cancelled() : Status();
  }
  MeasuredStep step(program, plan.profile());
  Interpreter interpreter(plan, loan, slots, watch, step.is_early() || watch.has_deadline() || is_long);
  if (step.is_measured()) {
    for (size_t u = 0; u < program.units.size(); ++u) {
      const auto begin = MeasuredStep::Clock::now();
      TINYTF_RETURN_IF_ERROR(interpreter.run(program.units[u].begin, program.units[u].end));
      step.note(u, begin);
    }
  } else {
    TINYTF_RETURN_IF_ERROR(interpreter.run(0, program.nodes.size()));
  }
  step.end();
  return loan.cancellation->cancelled() ? step_cancelled() : Status();
}

}  // namespace tinytf
