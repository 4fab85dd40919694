#include "graph/passes/foldable.h"

#include <algorithm>
#include <utility>

#include "graph/constant_value.h"
#include "graph/passes/frames.h"

namespace tinytf {

namespace {

/// A node that would need more control inputs is not folded: memory would be quadratic in the length of chains of such
/// nodes.
constexpr size_t kMostWaits = 64;

/// Bytes of a node's outputs that static shapes reveal before they are computed.
size_t known_bytes(const Node& node) {
  size_t bytes = 0;
  for (int i = 0; i < node.num_outputs(); ++i) {
    const PartialShape& shape = node.output_shapes[i];
    if (shape.fully_defined())
      bytes += static_cast<size_t>(shape.num_elements()) * dtype_size(node.info->outputs[i].dtype);
  }
  return bytes;
}

/// Whether the node's outputs depend only on its inputs and can be stored.
bool is_pure(const SubgraphNode& node) {
  const NodeInfo& info = *node.info;
  if (node.removed || node.values || !node.feeds.empty() || info.op->is_stateful) return false;
  if (info.op->calls_functions() || info.op->control_flow != ControlFlow::kNone) return false;
  const bool yields_constants = info.op->has(Trait::kConstant) || info.op->may_block;  // Even without inputs.
  if (info.outputs.empty() || (node.inputs.empty() && !yields_constants)) return false;
  return std::all_of(info.outputs.begin(), info.outputs.end(), is_plain);
}

/// Whether the node is an Enter that provides each iteration of a loop with the same value.
bool keeps_value(const SubgraphNode& node) {
  return node.control_flow() == ControlFlow::kEnter && is_constant_enter(node) && is_plain(node.info->inputs[0]);
}

}  // namespace

bool calls_pure_function(const SubgraphNode& node) { return node.info->op->may_block && is_pure(node); }

FoldableNodes::FoldableNodes(const Subgraph& subgraph, size_t max_bytes)
    : subgraph_(subgraph), max_bytes_(max_bytes), waits_(subgraph.nodes.size()) {
  takes_waiting_ = std::any_of(subgraph.nodes.begin(), subgraph.nodes.end(), calls_pure_function);
}

bool FoldableNodes::add(int index) {
  const SubgraphNode& node = subgraph_.nodes[index];
  if (!is_pure(node) || (!takes_waiting_ && !node.control_inputs.empty())) return false;
  std::optional<std::vector<int>> waits = waits_of(node);
  if (!waits || (attr_value(*node.info) == nullptr && known_bytes(*node.origin) > max_bytes_)) return false;
  waits_[index] = std::move(waits);
  return true;
}

SubgraphNode::Input FoldableNodes::origin_of(SubgraphNode::Input input) const {
  while (!subgraph_.nodes[input.node].fed(input.output) && keeps_value(subgraph_.nodes[input.node])) {
    input = subgraph_.nodes[input.node].inputs[0];
  }
  return input;
}

std::optional<std::vector<int>> FoldableNodes::waits_of(const SubgraphNode& node) const {
  std::vector<int> waits = node.control_inputs;
  for (const SubgraphNode::Input& input : node.inputs) {
    const SubgraphNode::Input origin = origin_of(input);
    const SubgraphNode& source = subgraph_.nodes[origin.node];
    const bool is_known = source.values && !source.values->empty();
    if (source.fed(origin.output) || (!is_known && !waits_[origin.node])) return std::nullopt;
    if (origin.node != input.node) {
      waits.push_back(input.node);  // Live in the iterations of its loop.
    } else if (waits_[origin.node]) {
      waits.insert(waits.end(), waits_[origin.node]->begin(), waits_[origin.node]->end());
    }
  }
  std::sort(waits.begin(), waits.end());
  waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
  if (waits.size() > kMostWaits || (!takes_waiting_ && !waits.empty())) return std::nullopt;
  return waits;
}

}  // namespace tinytf
