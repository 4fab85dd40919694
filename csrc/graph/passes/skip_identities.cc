#include <vector>

#include "graph/passes/frames.h"
#include "graph/passes/value_origins.h"
#include "graph/shape_claims.h"

namespace tinytf {

namespace {

/// By node: whether another node or the step waits for it, besides the nodes that take its outputs.
std::vector<bool> awaited_nodes(const Subgraph& subgraph) {
  std::vector<bool> awaited(subgraph.nodes.size());
  for (const SubgraphNode& node : subgraph.nodes) {
    if (node.removed) continue;
    for (const int control : node.control_inputs) awaited[static_cast<size_t>(control)] = true;
  }
  for (const int target : subgraph.targets) {
    if (target >= 0) awaited[static_cast<size_t>(target)] = true;
  }
  return awaited;
}

}  // namespace

void skip_identities(Subgraph& subgraph) {
  if (has_control_flow(subgraph)) return;
  const std::vector<bool> awaited = awaited_nodes(subgraph);
  const auto is_skipped = [&](size_t index) {
    const SubgraphNode& node = subgraph.nodes[index];
    if (node.removed || awaited[index] || !node.feeds.empty() || !node.control_inputs.empty()) return false;
    return only_copies(subgraph, node) && (node.described() == nullptr || claims_to_check(*node.origin).empty());
  };
  constexpr SubgraphNode::Input kKept{-1, 0};
  std::vector<SubgraphNode::Input> sources(subgraph.nodes.size(), kKept);  // By node that is skipped.
  const auto skip = [&](SubgraphNode::Input& input) {
    const SubgraphNode::Input source = sources[static_cast<size_t>(input.node)];
    if (source.node >= 0) input = source;
  };
  for (size_t i = 0; i < subgraph.nodes.size(); ++i) {  // Producers come before consumers.
    SubgraphNode& node = subgraph.nodes[i];
    for (SubgraphNode::Input& input : node.inputs) skip(input);
    if (!is_skipped(i)) continue;
    sources[i] = node.inputs[0];
    node.removed = true;
  }
  for (SubgraphNode::Input& fetch : subgraph.fetches) skip(fetch);
}

}  // namespace tinytf
