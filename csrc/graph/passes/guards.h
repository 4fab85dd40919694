#pragma once

#include <optional>
#include <vector>

#include "graph/passes/guard_table.h"
#include "graph/passes/subgraph.h"

namespace tinytf {

/// How a Merge that joins two branches chooses its input.
struct BranchMerge {
  SubgraphNode::Input predicate{-1, 0};
  int if_true = 0;  ///< The input that is live if the predicate is true.
  int by = -1;      ///< A Switch on the predicate, for error messages.
  int only = -1;    ///< Without a predicate: the only input that can be live; -1: none.
};

/// The predicate of a Switch.
struct SwitchPredicate {
  SubgraphNode::Input predicate{-1, 0};
  bool is_negated = false;    ///< The Switch tests the negation.
  std::optional<bool> known;  ///< The value of the Switch's predicate whenever the Switch runs, if it is known.
};

/// The conditions under which the nodes of a Subgraph run.
struct Guards {
  GuardTable table;
  std::vector<int> of;  ///< By node; kNever if it can never run.
  /// By node: the guard of its outputs, in terms of the frame in which they are consumed. For a Switch: the guard under
  /// which it runs.
  std::vector<int> of_outputs;
  /// By frame: the guard under which the loop is entered, in terms of the outer frame; kNever: never.
  std::vector<int> of_frames;
  std::vector<BranchMerge> merges;        ///< By node.
  std::vector<SwitchPredicate> switches;  ///< By node.
  /// A predicate that is known to be false, and one that is known to be true.
  std::optional<SubgraphNode::Input> known[2];

  /// The guard of an output. It differs between the outputs of a Switch.
  int of_output(const Subgraph& subgraph, const SubgraphNode::Input& output);
};

/// The place where the control flow of a Subgraph stops to consist of nested conditions and while loops.
struct Misfit {
  int node = -1;   ///< The node that does not fit; -1 if it is not known.
  int frame = -1;  ///< The loop that does not fit; -1 if the node is outside of loops.
  Guards guards;   ///< For a node: the guards of the nodes before it.
};

}  // namespace tinytf
