#pragma once

#include <string>
#include <utility>
#include <vector>

#include "op/kernel_state.h"
#include "runtime/plan/program.h"

namespace tinytf {

// The state that a program's nodes keep from step to step, by node name. Saved before a recorded step, and restored
// before it is replayed.

std::vector<std::pair<std::string, RandomStateHolder::State>> random_states(const Program& program);
/// NotFound if the program has no such node with random state.
Status set_random_state(const Program& program, const std::string& node, const RandomStateHolder::State& state);

/// A variable and its value; the value is invalid before the first assignment.
struct NodeVariable {
  std::string node;
  DType dtype = DType::kInvalid;
  Tensor value;
};
Result<std::vector<NodeVariable>> variables(const Program& program, ResourceManager& resources);
/// As variables, but the values share the variables' memory. A write to a variable meanwhile goes to new memory.
Result<std::vector<NodeVariable>> held_variables(const Program& program, ResourceManager& resources);
/// Digests of the variables' values. Holds one value at a time.
Result<std::vector<std::pair<std::string, uint64_t>>> variable_digests(const Program& program,
                                                                       ResourceManager& resources);
/// NotFound if the program has no such variable.
Result<DType> variable_dtype(const Program& program, const std::string& node);
/// Sets a variable to a copy of the value, in memory of `allocator`, which should be the variable's. NotFound if the
/// program has no such variable; InvalidArgument for a value of another dtype.
Status set_variable(const Program& program, const std::string& node, ResourceManager& resources, Allocator& allocator,
                    const Tensor& value);

}  // namespace tinytf
