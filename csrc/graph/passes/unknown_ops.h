#pragma once

#include "graph/passes/subgraph.h"

namespace tinytf {

/// NotFound if a step would need nodes of ops that are not declared here: names all of these ops, how many nodes there
/// are of each, and the first. Ok if there are none, or none that runs in every step: see unknown_ops_error.
Status check_ops_known(const Subgraph& subgraph);

/// That error for a subgraph that has such nodes: of one in a branch that not every step takes, for the step that comes
/// to it.
Status unknown_ops_error(const Subgraph& subgraph);

}  // namespace tinytf
