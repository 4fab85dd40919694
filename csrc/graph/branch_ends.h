#pragma once

#include <vector>

#include "graph/node.h"

namespace tinytf {

/// Returns the nodes whose completion implies that every node of `wanted` has run if it runs at all. A node inside a
/// branch or loop may never run, so it is replaced by the nodes outside that depend on it (Merge, Exit or their
/// consumers); it is dropped if there are none. `nodes` must be in topological order, except for back edges. The caller
/// holds the graph's lock.
std::vector<Node*> with_branch_ends(const std::vector<Node*>& nodes, const std::vector<Node*>& wanted);

}  // namespace tinytf
