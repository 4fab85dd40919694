#pragma once

#include <optional>
#include <vector>

#include "graph/passes/loops.h"

namespace tinytf {

/// What is emitted at one place: a node, or a whole loop.
struct CodeItem {
  int node = -1;   ///< of the Subgraph; -1 for a loop
  int frame = -1;  ///< of the loop
  int guard = 0;
};

/// The items of the nodes of a frame in an order that respects all edges; items of one guard stand together as far as
/// edges let them. Nodes that are `silent` emit nothing, and are left out. `in_body`: of a loop, those that run only
/// where its condition holds, else the others.
std::optional<std::vector<CodeItem>> schedule(const Subgraph& subgraph, const Frames& frames, Guards& guards,
                                              const std::vector<Loop>& loops, const std::vector<bool>& silent,
                                              int frame, bool in_body);

}  // namespace tinytf
