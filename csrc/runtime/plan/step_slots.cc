#include "runtime/plan/step_slots.h"

#include <algorithm>
#include <utility>

#include "runtime/plan/bytecode.h"

namespace tinytf {

void StepSlots::clear(const Program& program) {
  for (Slot& slot : slots) slot.tensor = Tensor();
  for (const Deref& snapshot : program.snapshots) slots[snapshot.to].ref = nullptr;
  std::fill(iterations.begin(), iterations.end(), 0);
  for (const auto& [slot, value] : program.constants) slots[slot].tensor = value;
}

std::unique_ptr<StepSlots> SlotPool::take(const Program& program) {
  if (StepSlots* const spare = spare_.exchange(nullptr, std::memory_order_acquire)) {
    return std::unique_ptr<StepSlots>(spare);
  }
  {
    std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      auto slots = std::move(free_.back());
      free_.pop_back();
      return slots;
    }
  }
  auto fresh = std::make_unique<StepSlots>();
  fresh->slots.resize(program.slot_count);
  if (program.code != nullptr) fresh->iterations.resize(program.code->loops.size());
  for (const auto& [slot, value] : program.constants) fresh->slots[slot].tensor = value;
  return fresh;
}

void SlotPool::give_back(std::unique_ptr<StepSlots> slots) {
  StepSlots* none = nullptr;
  if (spare_.compare_exchange_strong(none, slots.get(), std::memory_order_release, std::memory_order_relaxed)) {
    (void)slots.release();
    return;
  }
  std::lock_guard lock(mutex_);
  free_.push_back(std::move(slots));
}

}  // namespace tinytf
