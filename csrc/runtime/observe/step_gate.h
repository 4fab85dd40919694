#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/tensor.h"

namespace tinytf {

/// Limits that tell when a step is due, that is, when idle hooks must see it. Counts and times start when the gate is
/// made.
struct GateLimits {
  int64_t step_after;   // A step with this global step or a later one is due.
  int64_t step_before;  // The step after one with this global step or a later one is due.
  int64_t steps;        // This many steps may pass; the next one is due.
  double secs_after;    // A step that ends later than this is due.
  double secs_before;   // A step that begins later than this is due.
  bool moves;           // A step with the same global step as the one before is due.
};

/// Filters steps on behalf of idle hooks. It reads the last values that each step fetches: the global step, if
/// `has_step`, and scalars that must not be NaN. A step with a value of an unsupported kind is due.
///
/// The gate shuts when a step is due, or when shut() is called: every step that ends later is due. Not thread-safe: the
/// caller makes one call at a time, but any number of steps may run between is_open() and passes().
class StepGate {
 public:
  StepGate(const GateLimits& limits, bool has_step, int values, int64_t last_step, bool has_last_step);

  /// Whether the next step may run without the hooks seeing it.
  bool is_open() const;
  /// Whether the hooks need not see this step. Takes the values that the step fetched for the gate.
  bool passes(const Tensor* values);
  void shut() { open_ = false; }

  size_t values() const { return static_cast<size_t>(values_); }
  /// Number of steps that passed.
  int64_t passed() const { return passed_; }
  /// Global step of the last step that passed.
  int64_t last_step() const { return last_step_; }

 private:
  const GateLimits limits_;
  const bool has_step_;
  const int values_;
  double end_after_, end_before_;  // On the steady clock.
  int64_t passed_ = 0;
  int64_t last_step_;
  bool has_last_step_;
  bool open_ = true;
};

}  // namespace tinytf
