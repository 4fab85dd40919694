#pragma once

#include <optional>
#include <vector>

#include "graph/passes/branch_merges.h"
#include "graph/passes/frames.h"
#include "graph/passes/guard_table.h"
#include "graph/passes/switch_predicates.h"

namespace tinytf {

/// When the nodes of a Subgraph run.
struct Guards {
  GuardTable table;
  std::vector<int> of;          ///< by node; kNever: both values of one predicate lead there
  std::vector<int> of_outputs;  ///< by node: when what it yields is there, in terms of the frame where that is read; of
                                ///< a Switch: when it runs itself
  std::vector<int> of_frames;   ///< by frame: when the loop is entered, in terms of the frame around it; -1: never
  std::vector<BranchMerge> merges;              ///< by node
  std::vector<SwitchPredicate> switches;        ///< by node
  std::optional<SubgraphNode::Input> known[2];  ///< a predicate that is known to be false, and one that is true

  /// When an output is there: of a Switch, it depends on which one.
  int of_output(const Subgraph& subgraph, const SubgraphNode::Input& output);
};

/// Unimplemented, naming a node, where branches are not those of nested conditions: a Merge whose inputs no single
/// predicate decides between. Then it takes tokens to find out what runs. Triggers run in any case; those of loops get
/// their place with them. All predicates that have one known value are one; whether a Merge has taken some input is its
/// own predicate, or the opposite; and in a loop that is entered only if a predicate has a value, it has that value. A
/// Merge of a constant yields it, as it is there first.
Result<Guards> find_guards(const Subgraph& subgraph, const Frames& frames);

/// By node: whether it runs once in every step, outside of loops and whatever predicates say. Where guards can not be
/// told, no node is known to. Fails as find_frames.
Result<std::vector<bool>> find_unconditional(const Subgraph& subgraph);

}  // namespace tinytf
