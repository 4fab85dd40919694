#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/plan/step_slots.h"

namespace tinytf {

/// How many units each unit of one step still waits for, in the step's memory.
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

  /// Something more that the unit waits for: a feed that is still to come. Before the step begins.
  void add(int32_t unit) { pending_[unit].fetch_add(1, std::memory_order_relaxed); }
  /// Of what the unit waits for, one is there. Whether it was the last: then the unit can run, and sees what was
  /// written before the calls for the others. Thread-safe.
  bool arrive(int32_t unit) { return pending_[unit].fetch_sub(1, std::memory_order_acq_rel) == 1; }
  int32_t pending(int32_t unit) const { return pending_[unit].load(std::memory_order_relaxed); }
  /// Room for a link of each unit, which is in one list at a time.
  int32_t* links() const { return next_ready_; }

 private:
  std::atomic<int32_t>* pending_;
  int32_t* next_ready_;
};

}  // namespace tinytf
