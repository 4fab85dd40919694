#pragma once

#include <optional>
#include <vector>

#include "graph/passes/frames.h"
#include "graph/passes/guards.h"

namespace tinytf {

/// A loop variable: its initial value, and its value in the next iteration.
struct LoopVariable {
  int enter = 0, merge = 0;
  SubgraphNode::Input next;  ///< The input of its NextIteration.
};

/// A while loop: one condition, and a body that runs as long as it holds.
struct Loop {
  Literal condition;  ///< Holds in the body.
  std::vector<LoopVariable> variables;
};

/// The analysis of a Subgraph whose control flow consists of nested conditions and while loops.
struct ControlStructure {
  const Subgraph& subgraph;
  const Frames& frames;
  Guards& guards;
  const std::vector<Loop>& loops;  ///< By frame.
};

/// By node: whether it is the Merge of a loop variable.
std::vector<bool> loop_variables(const ControlStructure& control);

/// By frame; the entry of the first frame, the step itself, is empty. Unimplemented, naming a node or a loop, if some
/// frame is not a while loop: one with a single condition that switches all variables, where each variable goes to the
/// next iteration in the body and leaves the loop after the last one. `misfit`: set on failure, unless null.
Result<std::vector<Loop>> find_loops(const Subgraph& subgraph, const Frames& frames, Guards& guards,
                                     Misfit* misfit = nullptr);

}  // namespace tinytf
