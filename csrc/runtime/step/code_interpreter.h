#pragma once

#include <chrono>

#include "runtime/plan/code.h"
#include "runtime/plan/plan.h"
#include "runtime/step/step_loan.h"
#include "runtime/step/step_watch.h"

namespace tinytf {

/// How far some code has come.
struct CodePlace {
  int32_t at = 0;                     ///< in ProgramCode::instructions
  const PlanNode* waiting = nullptr;  ///< the node there, if its kernel is asynchronous and must run first
};

/// Runs the code of a whole program, or what is left of one unit's while others run elsewhere: then values that others
/// write stay as they are. For one thread at a time.
class CodeInterpreter {
 public:
  static constexpr int32_t kAllUnits = -1;

  /// `watch` may be null, on threads that need not look out; `watchful`: after each node. `may_map`: loops that map may
  /// be run by several threads. All outlive it.
  CodeInterpreter(Plan& plan, const StepLoan& loan, StepSlots& memory, int32_t unit, StepWatch* watch, bool watchful,
                  bool may_map = true);

  /// One iteration of a loop that maps; its variables are in the slots.
  Status run_iteration(const CodeLoop& loop);

  /// From `place` to the instruction `end`, or to a kernel that waits, which stands in `place` then: the next call goes
  /// on after it has run. An error of a node names it and the iterations.
  Status run(CodePlace& place, int32_t end);

  /// Of the node at `place`, which stands in loops.
  Iterations iterations(const CodePlace& place) const { return iterations_at(place.at); }
  /// As KernelContext takes it.
  uint64_t last_use(const PlanNode& node) const { return unit_ == kAllUnits ? node.last_use : node.unit_last_use; }

 private:
  template <bool kAll>
  Status run_code(CodePlace& place, int32_t end);
  template <bool kAll>
  void release(const PlanNode& node);
  template <bool kAll>
  void move(const Move& move);
  template <bool kAll>
  void move_back(const CodeLoop& loop);
  template <bool kAll>
  Status select(const Select& select);
  template <bool kAll>
  bool owns(int32_t slot) const;
  Status failed(Status status, int32_t at) const;
  Status end_iteration(int32_t loop);
  Status look();
  int32_t nearest_look() const;
  Status cancelled() const;
  Iterations iterations_at(int32_t at) const;

  Plan& plan_;
  const Program& program_;
  const ProgramCode& code_;
  PlanProfile& profile_;
  const StepLoan& loan_;
  StepSlots& memory_;
  Slot* const slots_;
  int64_t* const iterations_;
  const int32_t unit_;
  StepWatch* const watch_;
  const bool watchful_;
  const bool may_map_;
  std::chrono::steady_clock::time_point map_begin_;  // of the iterations that tell what one takes
  int32_t look_every_, until_look_;                  // nodes
  std::vector<Slot> held_;                           // what goes from variable to variable of a loop
};

}  // namespace tinytf
