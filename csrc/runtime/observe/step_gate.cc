#include "runtime/observe/step_gate.h"

#include <chrono>
#include <cmath>
#include <limits>

namespace tinytf {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double time_in(double secs) { return secs == kNever ? kNever : now() + secs; }

bool is_later(double end) { return end != kNever && now() >= end; }

bool read_step(const Tensor& value, int64_t& step) {
  if (value.shape().rank() != 0) return false;
  if (value.dtype() == DType::kInt64) {
    step = *value.data<int64_t>();
  } else if (value.dtype() == DType::kInt32) {
    step = *value.data<int32_t>();
  } else {
    return false;
  }
  return true;
}

bool is_number(const Tensor& value) {
  if (value.shape().rank() != 0) return false;
  if (value.dtype() == DType::kFloat) return !std::isnan(*value.data<float>());
  if (value.dtype() == DType::kDouble) return !std::isnan(*value.data<double>());
  return false;
}

}  // namespace

StepGate::StepGate(const GateLimits& limits, bool has_step, int values, int64_t last_step, bool has_last_step)
    : limits_(limits),
      has_step_(has_step),
      values_(values),
      end_after_(time_in(limits.secs_after)),
      end_before_(time_in(limits.secs_before)),
      last_step_(last_step),
      has_last_step_(has_last_step) {}

bool StepGate::is_open() const { return open_ && passed_ < limits_.steps && !is_later(end_before_); }

bool StepGate::passes(const Tensor* values) {
  if (!open_) return false;
  open_ = false;
  int64_t step = 0;
  if (has_step_) {
    if (!read_step(values[0], step) || step >= limits_.step_after) return false;
    if (limits_.moves && has_last_step_ && step == last_step_) return false;
  }
  for (int i = has_step_ ? 1 : 0; i < values_; ++i) {
    if (!is_number(values[i])) return false;
  }
  if (is_later(end_after_)) return false;
  ++passed_;
  last_step_ = step;
  has_last_step_ = has_step_;
  open_ = !has_step_ || step < limits_.step_before;
  return true;
}

}  // namespace tinytf
