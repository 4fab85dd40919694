#pragma once

#include <map>
#include <vector>

#include "graph/passes/subgraph.h"

namespace tinytf {

/// Replaces nodes with known values by constants, one for each output, which have the given nodes as control inputs and
/// thus run only where the original would. `waits`: control inputs by node. Indices of all nodes change.
void place_waiting_constants(Subgraph& subgraph, const std::map<int, std::vector<int>>& waits);

}  // namespace tinytf
