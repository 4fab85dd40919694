#pragma once

#include <optional>
#include <vector>

#include "graph/passes/branch_merges.h"
#include "graph/passes/frames.h"
#include "graph/passes/guard_table.h"
#include "graph/passes/switch_predicates.h"

namespace tinytf {

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

/// Computes all guards. Unimplemented, naming a node, if control flow is not made of nested conditions, that is, if no
/// single predicate decides between the inputs of a Merge, or if variables enter a loop under different guards; such
/// steps run on the dataflow machine. ControlTriggers get guard 0; find_loops places triggers inside loops.
///
/// All predicates with the same known value are represented by one. "Equal" on the index output of a Merge counts as
/// the predicate of the Merge or its negation. Inside a loop that is entered only if a predicate has some value, the
/// predicate has that value. A Merge with a constant input yields that input, since it arrives first.
Result<Guards> find_guards(const Subgraph& subgraph, const Frames& frames);

/// By node: whether it runs exactly once in every step, outside of loops and whatever the predicates are. All false if
/// guards cannot be computed. Fails as find_frames does.
Result<std::vector<bool>> find_unconditional(const Subgraph& subgraph);

}  // namespace tinytf
