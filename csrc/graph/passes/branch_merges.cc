#include "graph/passes/branch_merges.h"

#include <optional>
#include <vector>

#include "graph/passes/value_origins.h"

namespace tinytf {

namespace {

/// The input of a Merge that arrives first because it is a constant, or the only one that can be live; -1 if none can
/// be; nullopt if it depends.
std::optional<int> only_input(const Subgraph& subgraph, Guards& guards, const SubgraphNode& node) {
  int live = 0, last = -1;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const SubgraphNode::Input& input = node.inputs[i];
    if (known_from_beginning(subgraph.nodes[input.node], input.output) != nullptr) return static_cast<int>(i);
    if (guards.of_output(subgraph, input) == GuardTable::kNever) continue;
    ++live;
    last = static_cast<int>(i);
  }
  const bool is_one = live == 0 || (live == 1 && node.inputs.size() > 1);
  return is_one ? std::optional(last) : std::nullopt;
}

}  // namespace

bool find_branch_merge(const Subgraph& subgraph, int merge, Guards& guards) {
  const SubgraphNode& node = subgraph.nodes[merge];
  if (const std::optional<int> only = only_input(subgraph, guards, node)) {
    guards.of[merge] = *only < 0 ? GuardTable::kNever : guards.of_output(subgraph, node.inputs[*only]);
    guards.merges[merge].only = *only;
    return true;
  }
  if (node.inputs.size() != 2) return false;
  const int arms[2] = {guards.of_output(subgraph, node.inputs[0]), guards.of_output(subgraph, node.inputs[1])};
  GuardTable& table = guards.table;
  if (table.size(arms[0]) != table.size(arms[1])) return false;
  std::optional<Literal> decides;
  std::vector<Literal> behind;  // Common literals after the deciding one, in reverse order.
  int guard = arms[0];
  for (int other = arms[1]; guard != other; guard = table.without_last(guard), other = table.without_last(other)) {
    const Literal &a = table.last(guard), &b = table.last(other);
    if (!a.same_predicate(b) || (a.value != b.value && decides)) return false;
    if (a.value == b.value) {
      behind.push_back(a);
    } else {
      decides = a;
    }
  }
  if (!decides) return false;
  for (auto literal = behind.rbegin(); literal != behind.rend(); ++literal) guard = table.with(guard, *literal);
  BranchMerge& found = guards.merges[merge];
  found.predicate = decides->predicate;
  found.if_true = decides->value ? 0 : 1;
  found.by = decides->by;
  guards.of[merge] = guard;
  return true;
}

}  // namespace tinytf
