#pragma once

#include <map>
#include <vector>

#include "graph/passes/subgraph.h"

namespace tinytf {

/// Puts constants in place of nodes whose values are known, one for each output, that wait for the nodes that are
/// given: they are then as any constant of a branch or a loop, which are not there in every step. By node. The nodes
/// that they replace are gone; all others have another index.
void place_waiting_constants(Subgraph& subgraph, const std::map<int, std::vector<int>>& waits);

}  // namespace tinytf
