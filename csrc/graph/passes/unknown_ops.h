#pragma once

#include "graph/passes/subgraph.h"

namespace tinytf {

/// NotFound if every step would run a node whose op is not declared here. The message names all such ops, the number of
/// nodes of each, and the first of them. OK if there are no such nodes, or only in branches that need not be taken: see
/// unknown_ops_error.
Status check_ops_known(const Subgraph& subgraph);

/// The error of check_ops_known for a subgraph that has such nodes. Used by steps that reach one of them in a branch.
Status unknown_ops_error(const Subgraph& subgraph);

}  // namespace tinytf
