#pragma once

#include <vector>

#include "runtime/plan/plan.h"
#include "runtime/step/slot_uses.h"
#include "runtime/step/step_services.h"
#include "runtime/step/stop_check.h"
#include "runtime/step/unit_counts.h"
#include "services/thread_pool.h"

namespace tinytf {

/// The threads that a step may use beside the calling one.
struct StepThreads {
  ThreadPool* pool = nullptr;  ///< Null: none.
  int limit = 1;               ///< Threads of one step, including the caller's.
};

/// The parts of a step for the scheduler. Must outlive the call.
struct ScheduledStep {
  Plan& plan;
  const StepServices& services;
  StepSlots& memory;
  UnitCounts& counts;
  SlotUses& uses;
};

/// Runs the units `roots`, which must be ready, and all units that become ready, on the calling thread and threads of
/// the pool. Asynchronous kernels occupy no thread while they wait. If `measured` is given, unit times are recorded
/// there. Returns when every unit that began has ended: the first error, with the node's tag, or the reason why the
/// step ended early. OK if all units finished although the time was up.
Status run_scheduled(const ScheduledStep& step, const std::vector<int32_t>& roots, StepThreads threads,
                     StepStopCheck& stop_check, MeasuredStep* measured = nullptr);

}  // namespace tinytf
