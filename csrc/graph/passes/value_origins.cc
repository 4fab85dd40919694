#include "graph/passes/value_origins.h"

#include "graph/constant_value.h"

namespace tinytf {

const Tensor* known_from_beginning(const SubgraphNode& node, int output) {
  if (node.removed || node.fed(output) || !node.control_inputs.empty()) return nullptr;
  if (!node.values) return attr_value(*node.info);
  return node.values->empty() ? nullptr : &(*node.values)[static_cast<size_t>(output)];
}

bool passes_switched_value(const Subgraph& subgraph, const SubgraphNode& node) {
  if (node.values || !node.info->op->has(Trait::kPassesValue) || node.info->inputs[0].is_ref) return false;
  if (node.info->inputs[0].dtype != node.info->outputs[0].dtype || !node.feeds.empty()) return false;
  return !subgraph.fed(node.inputs[0]) && subgraph.source(node.inputs[0]).control_flow() == ControlFlow::kSwitch;
}

SubgraphNode::Input behind_identities(const Subgraph& subgraph, SubgraphNode::Input input) {
  for (;;) {
    const SubgraphNode& node = subgraph.nodes[input.node];
    if (node.values || node.fed(input.output) || !node.info->op->has(Trait::kPassesValue)) return input;
    if (node.info->inputs[0].dtype != node.info->outputs[0].dtype) return input;
    if (subgraph.is_ref(node.inputs[0])) return input;
    input = node.inputs[0];
  }
}

}  // namespace tinytf
