#include "runtime/observe/step_gate.h"

#include <cmath>
#include <limits>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr GateLimits kNone{kLargest, kLargest, kLargest, kNoLimit, kNoLimit, false};

bool passes_step(StepGate& gate, int64_t step) {
  const Tensor value = Tensor::scalar(step);
  return gate.passes(&value);
}

TINYTF_TEST(step_gate_without_limits_passes_every_step) {
  StepGate gate(kNone, true, 1, 0, false);
  for (int64_t step : {5, 5, 6}) EXPECT(gate.is_open() && passes_step(gate, step));
  const Tensor narrow = Tensor::scalar(int32_t{7});
  EXPECT(gate.passes(&narrow));
  EXPECT(gate.passed() == 4 && gate.last_step() == 7);
}

TINYTF_TEST(step_gate_shuts_at_a_step_that_is_due) {
  GateLimits limits = kNone;
  limits.step_after = 10;
  StepGate gate(limits, true, 1, 0, false);
  EXPECT(passes_step(gate, 9));
  EXPECT(!passes_step(gate, 10) && !gate.is_open());
  EXPECT(!passes_step(gate, 9));
  EXPECT(gate.passed() == 1 && gate.last_step() == 9);
}

TINYTF_TEST(step_gate_shuts_after_the_step_before_one_that_is_due) {
  GateLimits limits = kNone;
  limits.step_before = 10;
  StepGate gate(limits, true, 1, 0, false);
  EXPECT(passes_step(gate, 9) && gate.is_open());
  EXPECT(passes_step(gate, 10) && !gate.is_open());
}

TINYTF_TEST(step_gate_counts_steps) {
  GateLimits limits = kNone;
  limits.steps = 2;
  StepGate gate(limits, false, 0, 0, false);
  EXPECT(gate.is_open() && gate.passes(nullptr));
  EXPECT(gate.is_open() && gate.passes(nullptr));
  EXPECT(!gate.is_open());
}

TINYTF_TEST(step_gate_shuts_when_its_time_is_over) {
  GateLimits ends = kNone, begins = kNone;
  ends.secs_after = begins.secs_before = 0;
  StepGate at_the_end(ends, false, 0, 0, false), at_the_beginning(begins, false, 0, 0, false);
  EXPECT(at_the_end.is_open() && !at_the_end.passes(nullptr));
  EXPECT(!at_the_beginning.is_open());
}

TINYTF_TEST(step_gate_shuts_when_the_global_step_stands_still) {
  GateLimits limits = kNone;
  limits.moves = true;
  StepGate gate(limits, true, 1, 3, true), unknown(limits, true, 1, 3, false);
  EXPECT(!passes_step(gate, 3) && passes_step(unknown, 3));
  EXPECT(passes_step(unknown, 4) && !passes_step(unknown, 4));
}

TINYTF_TEST(step_gate_shuts_at_nan_and_values_of_other_kinds) {
  const Tensor nan[] = {Tensor::scalar(std::nanf("")), Tensor::scalar(std::nan("")), Tensor::scalar(int32_t{1}),
                        Tensor::allocate(Allocator::process(), DType::kFloat, {2}).take()};
  for (const Tensor& value : nan) EXPECT(!StepGate(kNone, false, 1, 0, false).passes(&value));
  const Tensor number = Tensor::scalar(1.0);
  EXPECT(StepGate(kNone, false, 1, 0, false).passes(&number));
  EXPECT(!StepGate(kNone, true, 1, 0, false).passes(&number));  // A global step is an integer.
}

TINYTF_TEST(step_gate_that_was_shut_passes_nothing) {
  StepGate gate(kNone, false, 0, 0, false);
  gate.shut();
  EXPECT(!gate.is_open() && !gate.passes(nullptr) && gate.passed() == 0);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
