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

/// Marks the nodes that nobody reads and nobody misses; returns which these are.
std::vector<bool> mark_unread(Subgraph& subgraph) {
  std::vector<SubgraphNode>& nodes = subgraph.nodes;
  std::vector<int> readers(nodes.size());
  for (const SubgraphNode& node : nodes) {
    if (node.removed) continue;
    for (const auto& input : node.inputs) ++readers[input.node];
  }
  for (const auto& fetch : subgraph.fetches) ++readers[fetch.node];
  for (int target : subgraph.targets) {
    if (target >= 0) ++readers[target];
  }
  std::vector<bool> dropped(nodes.size());
  for (size_t i = nodes.size(); i-- > 0;) {  // users come before what they use
    if (readers[i] > 0 || !is_unseen(nodes[i])) continue;
    nodes[i].removed = dropped[i] = true;
    for (const auto& input : nodes[i].inputs) --readers[input.node];
  }
  return dropped;
}

}  // namespace

void drop_unread(Subgraph& subgraph) {
  const std::vector<bool> dropped = mark_unread(subgraph);
  const auto is_dropped = [&dropped](int node) { return dropped[node]; };
  std::vector<SubgraphNode>& nodes = subgraph.nodes;
  std::vector<size_t> seen_by(nodes.size(), nodes.size());  // the last node found to wait for it
  for (size_t i = 0; i < nodes.size(); ++i) {               // what a node waits for comes before it
    std::vector<int>& controls = nodes[i].control_inputs;
    if (!dropped[i] && (nodes[i].removed || std::none_of(controls.begin(), controls.end(), is_dropped))) continue;
    // A dropped node's list becomes what those wait for that waited for it.
    std::vector<int> awaited;
    const auto await = [&](int node) {
      if (std::exchange(seen_by[node], i) != i) awaited.push_back(node);
    };
    const auto await_instead = [&](int node) {
      if (!dropped[node]) return await(node);
      for (int other : nodes[node].control_inputs) await(other);
    };
    for (int control : controls) await_instead(control);
    if (dropped[i]) {
      for (const auto& input : nodes[i].inputs) await_instead(input.node);
    }
    controls = std::move(awaited);
  }
}

}  // namespace tinytf
