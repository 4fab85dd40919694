#pragma once

#include <memory>
#include <utility>

#include "base/ref_ptr.h"
#include "runtime/plan/profile.h"
#include "runtime/plan/program.h"
#include "runtime/plan/step_slots.h"

namespace tinytf {

/// A compiled run signature, shared by concurrent steps: the immutable program, its measurements, and a pool of step
/// memory. Thread-safe.
class Plan : public RefCounted {
 public:
  explicit Plan(Program program) : program_(std::move(program)), profile_(program_.units.size()) {}

  const Program& program() const { return program_; }
  PlanProfile& profile() { return profile_; }
  const PlanProfile& profile() const { return profile_; }
  /// The memory for a step: constants are in place, all other slots are empty.
  std::unique_ptr<StepSlots> take_slots() { return pool_.take(program_); }
  void return_slots(std::unique_ptr<StepSlots> slots) { pool_.give_back(std::move(slots)); }

 private:
  const Program program_;
  PlanProfile profile_;
  SlotPool pool_;
};

}  // namespace tinytf
