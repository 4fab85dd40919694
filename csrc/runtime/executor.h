#pragma once

#include <chrono>
#include <vector>

#include "runtime/plan.h"
#include "runtime/step_loan.h"
#include "runtime/step_watch.h"
#include "services/thread_pool.h"

namespace tinytf {

/// Threads that a step may use beside the calling one.
struct StepThreads {
  ThreadPool* pool = nullptr;  ///< null: none
  int limit = 1;               ///< threads of one step, the caller's included
};

/// Of a step that notices between its nodes, or at its end, that it was cancelled.
inline Status step_cancelled() { return Status(Code::kCancelled, "Run call was cancelled"); }

/// Runs one step of a plan. The calling thread runs it alone, in the plan's order, unless nodes may wait or the plan's
/// profile says that threads pay; kernels may split their loops over `loan.parallel` in any case. `feeds` are moved
/// from. On success `fetches` holds the fetched values; on failure the first error, with the node's tag. A
/// step of several threads whose time is up when all its nodes are done has not failed. Whatever happens, every node
/// that began has ended, and no value of the step is left in `memory` but the plan's constants.
Status execute(Plan& plan, const StepLoan& loan, StepSlots& memory, StepThreads threads, StepWatch& watch,
               std::vector<Tensor>& feeds, std::vector<Tensor>& fetches);

/// The nodes alone, on the calling thread. The first steps are measured for the plan's profile.
Status run_sequentially(Plan& plan, const StepLoan& loan, Slot* slots, StepWatch& watch);
/// The nodes alone, on the calling thread and threads of a pool; kernels that wait hold none.
Status run_concurrently(Plan& plan, const StepLoan& loan, StepSlots& memory, StepThreads threads, StepWatch& watch);

/// Whether a step is one of a plan's first, and notes node times of those that are measured: not of the very first,
/// which pays for cold caches.
class MeasuredStep {
 public:
  using Clock = std::chrono::steady_clock;
  explicit MeasuredStep(Plan& plan);
  bool is_early() const { return number_ <= kLast; }
  bool is_measured() const { return is_early() && number_ > 0; }
  /// The time since `begin` as the node's. Thread-safe.
  void note(size_t node, Clock::time_point begin);
  /// After a step without errors: the last measured one decides about threads and watching.
  void end();

 private:
  static constexpr int32_t kLast = 2;
  Plan& plan_;
  int32_t number_;
};

/// Decides from measured node times whether threads would shorten a step.
bool threads_would_pay(Plan& plan);

}  // namespace tinytf
