#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/plan/program.h"

namespace tinytf {

/// The memory of one step. Reused by later steps of the same plan: constants stay in place.
struct StepSlots {
  std::vector<Slot> slots;
  // For steps that leave the plan's order, made when first needed.
  std::unique_ptr<std::atomic<int32_t>[]> pending;    ///< by unit: those it waits for that are not done
  std::unique_ptr<int32_t[]> next_ready;              ///< by unit: what comes after it in a list of units that can run
  std::unique_ptr<std::atomic<int32_t>[]> uses_left;  ///< by slot: readers that are not done, a fetch counts as one

  std::vector<int64_t> iterations;  ///< by loop of the program's code: how many are over

  /// Clears every slot and puts the constants back.
  void clear(const Program& program);
};

/// Slot arrays of steps that are over, for the next ones. Thread-safe.
class SlotPool {
 public:
  /// With the program's constants in place.
  std::unique_ptr<StepSlots> take(const Program& program);
  /// Every slot but constants must be empty.
  void give_back(std::unique_ptr<StepSlots> slots);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<StepSlots>> free_;
};

}  // namespace tinytf
