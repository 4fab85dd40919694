#pragma once

#include <optional>
#include <vector>

#include "graph/passes/guards.h"

namespace tinytf {

/// A variable of a loop: what it enters with, and what the next iteration gets.
struct LoopVariable {
  int enter = 0, merge = 0;
  SubgraphNode::Input next;  ///< what its NextIteration takes
};

/// A loop of the common kind: a condition, and a body that runs as long as it holds.
struct Loop {
  Literal condition;  ///< that holds in the body
  std::vector<LoopVariable> variables;
};

/// By frame; the first, which is no loop, is empty. Unimplemented, naming a node or a loop, if some frame is not a loop
/// of the common kind: with one condition that all variables are switched by, which go on in each iteration and leave
/// with the last.
Result<std::vector<Loop>> find_loops(const Subgraph& subgraph, const Frames& frames, Guards& guards);

}  // namespace tinytf
