#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <vector>

#include "tensor/tensor.h"

namespace tinytf::python {

namespace py = pybind11;

/// When hooks that idle have something to do again. Numbers count from when the gate is made.
struct GateLimits {
  int64_t step_after;   // a step that shows this global step, or a later one, concerns them
  int64_t step_before;  // the step that comes after one that shows this global step, or a later one, does
  int64_t steps;        // so many steps may come, the next one does
  double secs_after;    // what ends later concerns them
  double secs_before;   // what begins later does
  bool moves;           // a step that shows the global step of the one before does
};

/// Looks at steps in place of hooks. The values that it looks at are the last ones that the steps fetch: the global
/// step, if `has_step`, and others that must be numbers. A value of a kind that it does not know concerns the hooks.
///
/// It is shut when it has found something, or somebody says so: a step that ends later concerns the hooks, too. With
/// the GIL held; any number of threads may have steps.
class StepGate {
 public:
  StepGate(const GateLimits& limits, bool has_step, int values, int64_t last_step, bool has_last_step);

  /// Whether the next step is nobody's business.
  bool is_open() const;
  /// Whether this step was nobody's business.
  bool passes(const Tensor* values);
  void shut() { open_ = false; }

  size_t values() const { return static_cast<size_t>(values_); }
  /// How many steps have passed.
  int64_t passed() const { return passed_; }
  /// The global step that the last of them showed.
  int64_t last_step() const { return last_step_; }

 private:
  const GateLimits limits_;
  const bool has_step_;
  const int values_;
  double end_after_, end_before_;  // on the steady clock
  int64_t passed_ = 0;
  int64_t last_step_;
  bool has_last_step_;
  bool open_ = true;
};

/// A step that was not nobody's business: what the program fetched, and what the gate saw.
struct DueStep {
  py::object results;
  py::list values;
};

}  // namespace tinytf::python
