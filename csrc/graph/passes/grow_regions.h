#pragma once

#include <vector>

#include "graph/passes/frames.h"
#include "graph/passes/regions.h"

namespace tinytf {

/// Adds to the seeds the nodes that exchange references to variables with them, because a reference must not cross the
/// border of a region, except that a variable may be read from outside and a reference may be fetched. Also adds nodes
/// through which seeds would depend on themselves. Seeds that then have nodes in common are joined. `frames`: of the
/// subgraph. Returns false, with the seeds in an unspecified state, if this would take nodes of another loop or the
/// control flow of the loop around a seed.
bool grow_seeds(const Subgraph& subgraph, const Frames& frames, std::vector<RegionSeed>& seeds);

}  // namespace tinytf
