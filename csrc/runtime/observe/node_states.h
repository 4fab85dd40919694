#pragma once

#include <string>
#include <utility>
#include <vector>

#include "op/kernel_state.h"
#include "runtime/plan/program.h"

namespace tinytf {

// What a program's nodes keep from step to step, by the nodes' names: what is noted before a step that is recorded, and
// put back before it is replayed.

std::vector<std::pair<std::string, RandomStateHolder::State>> random_states(const Program& program);
/// NotFound if the program has no such node with random numbers.
Status set_random_state(const Program& program, const std::string& node, const RandomStateHolder::State& state);

/// A variable and its value; an invalid tensor before the first assignment.
struct NodeVariable {
  std::string node;
  DType dtype = DType::kInvalid;
  Tensor value;
};
Result<std::vector<NodeVariable>> variables(const Program& program, ResourceManager& resources);
/// The same, with values that are not copied: whoever changes a variable while they are held writes elsewhere.
Result<std::vector<NodeVariable>> held_variables(const Program& program, ResourceManager& resources);
/// Digests of their values, of which only one is held at a time.
Result<std::vector<std::pair<std::string, uint64_t>>> variable_digests(const Program& program,
                                                                       ResourceManager& resources);
/// NotFound if the program has no such variable.
Result<DType> variable_dtype(const Program& program, const std::string& node);
/// Makes a copy of the value, in memory of the allocator, the variable's. NotFound as above; InvalidArgument for a
/// value of another type.
Status set_variable(const Program& program, const std::string& node, ResourceManager& resources, Allocator& allocator,
                    const Tensor& value);

}  // namespace tinytf
