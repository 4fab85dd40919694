#pragma once

#include "graph/passes/guards.h"

namespace tinytf {

/// Determines the guard and the deciding predicate of a Merge that is not a loop variable, and records both in
/// `guards`, where all earlier nodes are recorded already. Returns false if no single predicate decides between the
/// inputs.
bool find_branch_merge(const Subgraph& subgraph, int merge, Guards& guards);

}  // namespace tinytf
