#include <algorithm>
#include <utility>

#include "graph/subgraph.h"

namespace tinytf {

namespace {

bool has_ref(const std::vector<ArgType>& types) {
  return std::any_of(types.begin(), types.end(), [](const ArgType& type) { return type.is_ref; });
}

/// Whether nobody can tell, but by its outputs, that the node runs. Checks are run for their errors.
bool is_unseen(const SubgraphNode& node) {
  const NodeInfo& info = node.origin->info;
  if (node.removed || node.values || !node.feeds.empty() || info.op->is_stateful || info.inputs.empty()) return false;
  if (info.outputs.empty() || has_ref(info.inputs) || has_ref(info.outputs)) return false;
  return info.op->name != "CheckNumerics" && info.op->name != "EnsureShape";
}

}  // namespace

void drop_unread(Subgraph& subgraph) {
  std::vector<SubgraphNode>& nodes = subgraph.nodes;
  std::vector<int> readers(nodes.size());
  std::vector<std::vector<int>> waiters(nodes.size());
  std::vector<int> seen_in(nodes.size());  // the round in which a node was last seen among a waiter's control inputs
  int round = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].removed) continue;
    for (const auto& input : nodes[i].inputs) ++readers[input.node];
    for (int control : nodes[i].control_inputs) waiters[control].push_back(static_cast<int>(i));
  }
  for (const auto& fetch : subgraph.fetches) ++readers[fetch.node];
  for (int target : subgraph.targets) {
    if (target >= 0) ++readers[target];
  }
  for (int i = static_cast<int>(nodes.size()) - 1; i >= 0; --i) {  // users come before what they use
    SubgraphNode& node = nodes[i];
    if (readers[i] > 0 || !is_unseen(node)) continue;
    node.removed = true;
    std::vector<int> awaited = node.control_inputs;
    for (const auto& input : node.inputs) {
      --readers[input.node];
      awaited.push_back(input.node);
    }
    for (int waiter : waiters[i]) {
      std::vector<int>& controls = nodes[waiter].control_inputs;
      controls.erase(std::remove(controls.begin(), controls.end(), i), controls.end());
      ++round;
      for (int other : controls) seen_in[other] = round;
      for (int other : awaited) {
        if (std::exchange(seen_in[other], round) == round) continue;
        controls.push_back(other);
        waiters[other].push_back(waiter);
      }
    }
  }
}

}  // namespace tinytf
