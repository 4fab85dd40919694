#include "graph/passes/switch_predicates.h"

#include "graph/passes/value_origins.h"

namespace tinytf {

namespace {

/// The predicate of an Equal that compares the index output of a Merge with a constant.
SwitchPredicate number_of_input(const Subgraph& subgraph, const Guards& guards, SwitchPredicate found,
                                const SubgraphNode& equal) {
  for (const int side : {0, 1}) {
    const SubgraphNode::Input &number = equal.inputs[side], &other = equal.inputs[1 - side];
    const auto wanted = scalar_from_beginning<int32_t>(subgraph.nodes[other.node], other.output);
    const SubgraphNode& node = subgraph.nodes[number.node];
    if (!wanted || node.fed(number.output) || node.control_flow() != ControlFlow::kMerge || number.output != 1) {
      continue;
    }
    const BranchMerge& merge = guards.merges[number.node];
    if (merge.only >= 0) {
      found.known = *wanted == merge.only;
    } else if (merge.predicate.node >= 0 && (*wanted == 0 || *wanted == 1)) {
      found.predicate = merge.predicate;
      found.is_negated = *wanted != merge.if_true;
    }
    return found;
  }
  return found;
}

/// The value that a loop-invariant predicate must have for its loop to be entered.
std::optional<bool> known_in_frame(const Subgraph& subgraph, const Frames& frames, Guards& guards,
                                   SubgraphNode::Input predicate) {
  for (;;) {
    const SubgraphNode& enter = subgraph.nodes[predicate.node];
    if (enter.values || enter.fed(predicate.output) || enter.control_flow() != ControlFlow::kEnter) return std::nullopt;
    if (!is_constant_enter(enter)) return std::nullopt;
    const int entered = guards.of_frames[frames.of_outputs[predicate.node]];
    predicate = behind_identities(subgraph, enter.inputs[0]);
    if (entered == GuardTable::kNever) return std::nullopt;
    for (const bool value : {false, true}) {
      if (guards.table.implied_by(guards.table.with(0, {predicate, value, -1}), entered)) return value;
    }
  }
}

}  // namespace

SwitchPredicate find_switch_predicate(const Subgraph& subgraph, const Frames& frames, const SubgraphNode::Input& asked,
                                      Guards& guards) {
  SwitchPredicate found;
  found.predicate = behind_identities(subgraph, asked);
  const SubgraphNode& node = subgraph.nodes[found.predicate.node];
  if (const auto holds = scalar_from_beginning<bool>(node, found.predicate.output); holds && node.values) {
    if (!guards.known[*holds]) guards.known[*holds] = found.predicate;
    found.predicate = *guards.known[*holds];
    return found;
  }
  if (node.values || node.fed(found.predicate.output)) return found;
  if (node.info->op->name == "Equal") return number_of_input(subgraph, guards, found, node);
  if (node.control_flow() == ControlFlow::kEnter) {
    found.known = known_in_frame(subgraph, frames, guards, found.predicate);
  }
  return found;
}

}  // namespace tinytf
