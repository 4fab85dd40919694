#include <algorithm>

#include "graph/constant_value.h"
#include "graph/subgraph.h"

namespace tinytf {

namespace {

bool foldable(const Subgraph& subgraph, const SubgraphNode& node) {
  const NodeInfo& info = node.origin->info;
  if (info.op->is_stateful || !node.control_inputs.empty() || !node.feeds.empty() || node.values) return false;
  if (info.outputs.empty() || (info.op->name != "Const" && node.inputs.empty())) return false;
  for (const ArgType& type : info.outputs) {
    if (type.is_ref || type.dtype == DType::kResource || type.dtype == DType::kVariant) return false;
  }
  return std::all_of(node.inputs.begin(), node.inputs.end(), [&](const SubgraphNode::Input& input) {
    const SubgraphNode& source = subgraph.nodes[input.node];
    return source.values && !source.fed(input.output) && !source.values->empty();
  });
}

/// Bytes of a node's values, as far as shapes tell before they are computed.
size_t known_bytes(const Node& node) {
  size_t bytes = 0;
  for (int i = 0; i < node.num_outputs(); ++i) {
    const PartialShape& shape = node.output_shapes[i];
    if (shape.fully_defined())
      bytes += static_cast<size_t>(shape.num_elements()) * dtype_size(node.info.outputs[i].dtype);
  }
  return bytes;
}

}  // namespace

void fold_constants(Subgraph& subgraph, size_t max_bytes) {
  for (SubgraphNode& node : subgraph.nodes) {
    if (node.removed || !foldable(subgraph, node)) continue;
    if (const Tensor* value =
            node.origin->op_name() == "Const" ? node.origin->info.attrs.get<Tensor>("value") : nullptr) {
      node.values = std::vector<Tensor>{*value};
      continue;
    }
    if (known_bytes(*node.origin) > max_bytes) continue;
    std::vector<Tensor> inputs;
    for (const auto& input : node.inputs) inputs.push_back((*subgraph.nodes[input.node].values)[input.output]);
    auto values = evaluate_node(node.origin->info, inputs);
    if (!values.ok()) continue;
    size_t bytes = 0;
    for (const Tensor& value : values.value()) bytes += value.bytes();
    if (bytes <= max_bytes) node.values = values.take();
  }
}

}  // namespace tinytf
