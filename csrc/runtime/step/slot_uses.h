#pragma once

#include "runtime/plan/step_slots.h"

namespace tinytf {

/// Counts the remaining readers of each slot, for steps that do not run in the plan's order. A value is cleared when
/// its last reader is done. The counts are stored in the step's memory. Thread-safe.
class SlotUses {
 public:
  SlotUses(const Program& program, StepSlots& memory) : program_(program), slots_(memory.slots.data()) {
    if (!memory.uses_left) memory.uses_left = std::make_unique<std::atomic<int32_t>[]>(program.slot_uses.size());
    left_ = memory.uses_left.get();
    for (size_t s = 0; s < program.slot_uses.size(); ++s)
      left_[s].store(program.slot_uses[s], std::memory_order_relaxed);
  }

  /// Bit i: this unit, which must be a node, is the only remaining reader of input i.
  uint64_t sole_reads(const Unit& unit) const {
    uint64_t bits = 0;
    const PlanNode& node = program_.nodes[unit.begin];
    const int32_t inputs = node.num_inputs();
    // Some value is read twice, so it must not be overwritten.
    if (inputs != unit.reads_end - unit.reads_begin) return 0;
    for (int32_t i = 0; i < inputs && i < 64; ++i) {
      const int32_t slot = program_.input_slots[node.first_input + i];
      if (left_[slot].load(std::memory_order_acquire) == 1) bits |= uint64_t{1} << i;
    }
    return bits;
  }

  /// To be called after the unit has run. Code clears values itself that it wrote and only it reads.
  void release(const Unit& unit) {
    for (int32_t i = unit.reads_begin; i < unit.reads_end; ++i) {
      const int32_t slot = program_.reads[i];
      if (program_.slot_uses[slot] < 0) continue;
      if (left_[slot].fetch_sub(1, std::memory_order_acq_rel) == 1) slots_[slot].tensor = Tensor();
    }
    if (unit.is_code) return;
    for (int32_t n = unit.begin; n < unit.end; ++n) {
      const PlanNode& node = program_.nodes[n];
      for (int output = 0; output < node.num_outputs(); ++output) {
        const int32_t slot = node.first_output + output;
        if (program_.slot_uses[slot] == 0) slots_[slot].tensor = Tensor();
      }
    }
  }

 private:
  const Program& program_;
  Slot* slots_;
  std::atomic<int32_t>* left_;
};

}  // namespace tinytf
