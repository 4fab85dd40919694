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

bool only_copies(const Subgraph& subgraph, const SubgraphNode& node) {
  const NodeInfo& info = *node.info;
  if (node.values || !info.op->has(Trait::kPassesValue) || info.op->control_flow != ControlFlow::kNone) return false;
  return node.inputs.size() == 1 && info.inputs[0].dtype == info.outputs[0].dtype && !subgraph.is_ref(node.inputs[0]);
}

SubgraphNode::Input behind_identities(const Subgraph& subgraph, SubgraphNode::Input input) {
  while (!subgraph.fed(input) && only_copies(subgraph, subgraph.source(input)))
    input = subgraph.source(input).inputs[0];
  return input;
}

}  // namespace tinytf
