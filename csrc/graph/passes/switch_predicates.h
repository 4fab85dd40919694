#pragma once

#include "graph/passes/frames.h"
#include "graph/passes/guards.h"

namespace tinytf {

/// Finds the predicate of a Switch whose predicate input is `asked`. All earlier nodes are recorded in `guards`;
/// predicates with a known value are added to it.
SwitchPredicate find_switch_predicate(const Subgraph& subgraph, const Frames& frames, const SubgraphNode::Input& asked,
                                      Guards& guards);

}  // namespace tinytf
