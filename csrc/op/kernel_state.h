#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "services/resource_manager.h"
#include "tensor/tensor.h"

namespace tinytf {

/// A kernel whose random generator continues from step to step. Thread-safe; numbers drawn by a concurrent step may or
/// may not be reflected in the state.
class RandomStateHolder {
 public:
  /// The counter, low word first, and the key of a Philox generator.
  using State = std::array<uint32_t, 6>;

  virtual ~RandomStateHolder() = default;
  virtual State random_state() const = 0;
  virtual void set_random_state(const State& state) = 0;
};

/// States of random generators, by names that are the same in each process that builds the same graph.
using RandomStates = std::map<std::string, RandomStateHolder::State>;

/// A kernel that yields a variable, which lives in the session's resources. Thread-safe.
class VariableHolder {
 public:
  virtual ~VariableHolder() = default;
  virtual DType variable_dtype() const = 0;
  /// A snapshot of the value in memory that no step writes to; an invalid tensor before the first assignment.
  virtual Result<Tensor> variable_value(ResourceManager& resources) = 0;
  /// The current value without a copy; invalid before the first assignment. While the caller holds it, the variable is
  /// changed in other memory.
  virtual Result<Tensor> hold_value(ResourceManager& resources) = 0;
  /// Sets the variable to `value`, which has its dtype. The variable takes over the memory, to which no other code may
  /// write.
  virtual Status set_variable_value(ResourceManager& resources, Tensor value) = 0;
};

}  // namespace tinytf
