#pragma once

#include <array>
#include <cstdint>

#include "services/resource_manager.h"
#include "tensor/tensor.h"

namespace tinytf {

/// A kernel whose random numbers go on from step to step. Thread-safe; a step that runs meanwhile may or may not count.
class RandomStateHolder {
 public:
  /// Counter, low word first, and key of a Philox generator.
  using State = std::array<uint32_t, 6>;

  virtual ~RandomStateHolder() = default;
  virtual State random_state() const = 0;
  virtual void set_random_state(const State& state) = 0;
};

/// A kernel that stands for a variable, which lives in the session's resources. Thread-safe.
class VariableHolder {
 public:
  virtual ~VariableHolder() = default;
  virtual DType variable_dtype() const = 0;
  /// The value now, in memory that no step writes to; an invalid tensor before the first assignment.
  virtual Result<Tensor> variable_value(ResourceManager& resources) = 0;
  /// The value now, not copied; invalid as above. Whoever changes the variable while the caller holds it writes
  /// elsewhere.
  virtual Result<Tensor> hold_value(ResourceManager& resources) = 0;
  /// Makes `value`, of the variable's dtype, the variable's, which takes over its memory: for one that nobody else
  /// writes to.
  virtual Status set_variable_value(ResourceManager& resources, Tensor value) = 0;
};

}  // namespace tinytf
