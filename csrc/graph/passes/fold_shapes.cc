#include <algorithm>

#include "graph/known_shapes.h"
#include "graph/passes/fold.h"

namespace tinytf {

void fold_shapes(Subgraph& subgraph, const std::vector<bool>& where) {
  std::vector<bool> is_outdated(subgraph.nodes.size());
  for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
    SubgraphNode& node = subgraph.nodes[i];
    const auto is_unsure = [&](const SubgraphNode::Input& input) {
      return subgraph.is_ref(input) || (is_outdated[input.node] && !subgraph.fed(input));
    };
    const auto reads_outdated = [&](const SubgraphNode::Input& input) {
      return is_outdated[input.node] && !subgraph.fed(input);
    };
    is_outdated[i] = node.origin->was_changed || std::any_of(node.inputs.begin(), node.inputs.end(), reads_outdated);
    if (!where[i] || node.removed || node.values || !node.feeds.empty()) continue;
    if (std::any_of(node.inputs.begin(), node.inputs.end(), is_unsure)) continue;
    // As in TensorFlow, shapes that rest on claims of the program are taken from the values.
    const auto& inputs = node.origin->inputs;
    if (std::any_of(inputs.begin(), inputs.end(), [](const Endpoint& in) { return in.node->rests_on_claims; }))
      continue;
    node.values = values_of_shapes(*node.origin);
  }
}

}  // namespace tinytf
