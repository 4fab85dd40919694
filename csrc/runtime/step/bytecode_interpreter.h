#pragma once

#include <chrono>

#include "runtime/plan/bytecode.h"
#include "runtime/plan/plan.h"
#include "runtime/step/step_services.h"
#include "runtime/step/stop_check.h"

namespace tinytf {

/// Minimum time of an iteration in nanoseconds for running a loop on several threads; for shorter ones the locks of the
/// arrays cost too much.
inline constexpr double kWorthMapping = 2000;

/// Runs the remaining iterations of a loop with independent iterations on several threads; see run_map.
using MapRunner = Status (*)(Plan& plan, const StepServices& services, StepSlots& memory, int32_t unit, int32_t loop,
                             double cost, StepStopCheck* stop_check);

/// A position in the bytecode.
struct BytecodePlace {
  int32_t at = 0;  ///< In Bytecode::instructions.
  /// The asynchronous node there, which has to run before the code continues; else null.
  const PlanNode* waiting = nullptr;
  const BytecodeRegion* region = nullptr;  ///< The same for a region with asynchronous kernels.

  bool has_to_wait() const { return waiting != nullptr || region != nullptr; }
};

/// Interprets the bytecode of a whole program, or of one unit while other units run elsewhere. In the latter case it
/// does not clear values that other units wrote. For one thread at a time.
class BytecodeInterpreter {
 public:
  static constexpr int32_t kAllUnits = -1;

  /// `stop_check`: null on threads that need not check it. `watchful`: check it after each node. `map_runner`: runs
  /// loops with independent iterations on several threads; null: this thread runs all iterations. All arguments must
  /// outlive the interpreter.
  BytecodeInterpreter(Plan& plan, const StepServices& services, StepSlots& memory, int32_t unit,
                      StepStopCheck* stop_check, bool watchful, MapRunner map_runner);

  /// Runs one iteration of a loop with independent iterations. Its variables are in the slots.
  Status run_iteration(const BytecodeLoop& loop);

  /// Runs from `place` to the instruction `end`, or to an asynchronous kernel or a region with such, which is then
  /// stored in `place`: after it has run, the next call continues there. Errors name the node and the iterations.
  Status run(BytecodePlace& place, int32_t end);

  /// The iterations of the loops around `place`.
  Iterations iterations(const BytecodePlace& place) const { return iterations_at(place.at); }
  /// The node's `last_use` for KernelContext.
  uint64_t last_use(const PlanNode& node) const { return unit_ == kAllUnits ? node.last_use : node.unit_last_use; }

 private:
  template <bool kAll>
  Status run_code(BytecodePlace& place, int32_t end);
  template <bool kAll>
  void release(const PlanNode& node);
  template <bool kAll>
  void move(const Move& move);
  template <bool kAll>
  void move_back(const BytecodeLoop& loop);
  template <bool kAll>
  Status select(const Select& select);
  template <bool kAll>
  bool owns(int32_t slot) const;
  Status region(int32_t number, int32_t at);
  Status failed(Status status, int32_t at) const;
  Status end_iteration(int32_t loop);
  Status look();
  int32_t nearest_look() const;
  Status cancelled() const;
  Iterations iterations_at(int32_t at) const;

  Plan& plan_;
  const Program& program_;
  const Bytecode& code_;
  PlanProfile& profile_;
  const StepServices& services_;
  StepSlots& memory_;
  Slot* const slots_;
  int64_t* const iterations_;
  const int32_t unit_;
  StepStopCheck* const stop_check_;
  const bool watchful_;
  const MapRunner map_runner_;                       // Null if no loop may run on several threads.
  std::chrono::steady_clock::time_point map_begin_;  // Start of the iterations that measure the cost of one.
  int32_t look_every_, until_look_;                  // In nodes.
  std::vector<Slot> held_;                           // Buffer for simultaneous moves of a loop.
};

}  // namespace tinytf
