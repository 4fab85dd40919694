#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/plan/step_slots.h"

namespace tinytf {

/// The number of units that each unit of a step still waits for; stored in the step's memory.
class UnitCounts {
 public:
  UnitCounts(const Program& program, StepSlots& memory) {
    if (!memory.pending) memory.pending = std::make_unique<std::atomic<int32_t>[]>(program.units.size());
    if (!memory.next_ready) memory.next_ready = std::make_unique<int32_t[]>(program.units.size());
    pending_ = memory.pending.get();
    next_ready_ = memory.next_ready.get();
    for (size_t u = 0; u < program.units.size(); ++u) {
      pending_[u].store(program.units[u].pending, std::memory_order_relaxed);
    }
  }

  /// Makes the unit wait for one more event, such as a feed. To be called before the step begins.
  void add(int32_t unit) { pending_[unit].fetch_add(1, std::memory_order_relaxed); }
  /// Counts one event that the unit waits for. Returns whether it was the last one: then the unit is ready, and
  /// everything written before the other arrivals is visible to it. Thread-safe.
  bool arrive(int32_t unit) { return pending_[unit].fetch_sub(1, std::memory_order_acq_rel) == 1; }
  int32_t pending(int32_t unit) const { return pending_[unit].load(std::memory_order_relaxed); }
  /// Storage for one list link per unit; a unit is in at most one list.
  int32_t* links() const { return next_ready_; }

 private:
  std::atomic<int32_t>* pending_;
  int32_t* next_ready_;
};

}  // namespace tinytf
