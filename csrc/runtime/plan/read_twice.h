#pragma once

#include "op/kernel_registry.h"
#include "runtime/plan/program.h"

namespace tinytf {

/// Whether a node that reads a value as both of its inputs may write its output over it: a loop of element-wise
/// operations reads both operands of an element before it writes the element.
inline bool overwrites_operands(const PlanNode& node) {
  return node.num_inputs() == 2 && KernelRegistry::global().loop_of(*node.info).kind == ElementwiseLoop::kBinary;
}

}  // namespace tinytf
