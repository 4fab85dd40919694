#pragma once

#include "graph/passes/subgraph.h"

namespace tinytf {

struct Guards;

/// How a Merge that joins two branches chooses its input.
struct BranchMerge {
  SubgraphNode::Input predicate{-1, 0};
  int if_true = 0;  ///< The input that is live if the predicate is true.
  int by = -1;      ///< A Switch on the predicate, for error messages.
  int only = -1;    ///< Without a predicate: the only input that can be live; -1: none.
};

/// Determines the guard and the deciding predicate of a Merge that is not a loop variable, and records both in
/// `guards`, where all earlier nodes are recorded already. Returns false if no single predicate decides between the
/// inputs.
bool find_branch_merge(const Subgraph& subgraph, int merge, Guards& guards);

}  // namespace tinytf
