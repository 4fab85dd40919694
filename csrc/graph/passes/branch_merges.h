#pragma once

#include "graph/passes/subgraph.h"

namespace tinytf {

struct Guards;

/// A Merge of two branches.
struct BranchMerge {
  SubgraphNode::Input predicate{-1, 0};
  int if_true = 0;  ///< the input that is there if the predicate is true
  int by = -1;      ///< a Switch that asks for it, which errors name
  int only = -1;    ///< without a predicate: the input that it yields wherever it runs
};

/// Finds when a Merge that is no variable of a loop runs, and what it yields: for `guards`, where all that comes before
/// it has been found. False if no single predicate decides between its inputs.
bool find_branch_merge(const Subgraph& subgraph, int merge, Guards& guards);

}  // namespace tinytf
