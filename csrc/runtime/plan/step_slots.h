#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/plan/program.h"

namespace tinytf {

/// The memory of one step. Later steps of the same plan reuse it; constants stay in place.
struct StepSlots {
  std::vector<Slot> slots;
  // For steps that do not run in the plan's order; allocated on demand.
  std::unique_ptr<std::atomic<int32_t>[]> pending;    ///< By unit: number of units it still waits for.
  std::unique_ptr<int32_t[]> next_ready;              ///< By unit: next unit in a list of ready units.
  std::unique_ptr<std::atomic<int32_t>[]> uses_left;  ///< By slot: remaining readers; a fetch counts as one.

  std::vector<int64_t> iterations;  ///< By loop of the program's code: number of finished iterations.

  /// Clears all slots and restores the constants.
  void clear(const Program& program);
};

/// Free list of step memory. Thread-safe. Steps that follow each other take no lock.
class SlotPool {
 public:
  SlotPool() = default;
  ~SlotPool() { delete spare_.load(); }
  SlotPool(const SlotPool&) = delete;
  SlotPool& operator=(const SlotPool&) = delete;

  /// The program's constants are in place.
  std::unique_ptr<StepSlots> take(const Program& program);
  /// All slots except constants must be empty.
  void give_back(std::unique_ptr<StepSlots> slots);

 private:
  std::atomic<StepSlots*> spare_{nullptr};  // Owned. The memory that was given back when there was none here.
  std::mutex mutex_;                        // Guards free_. Held briefly, and together with no other lock.
  std::vector<std::unique_ptr<StepSlots>> free_;
};

}  // namespace tinytf
