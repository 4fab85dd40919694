#pragma once

#include <vector>

#include "graph/node.h"

namespace tinytf {

/// What to wait for so that `wanted` have run where they are to run: these, but of those in branches and loops, which
/// need not run, the nodes that end these and depend on them. Nodes come in an order in which inputs stand before their
/// readers, but for those that close loops. What no end depends on is left out. The graph's lock is held.
std::vector<Node*> with_branch_ends(const std::vector<Node*>& nodes, const std::vector<Node*>& wanted);

}  // namespace tinytf
