#include "graph/passes/known_predicates.h"

#include <algorithm>
#include <utility>

#include "graph/constant_value.h"
#include "graph/passes/foldable.h"
#include "graph/passes/value_origins.h"
#include "tensor/finite.h"

namespace tinytf {

namespace {

constexpr int kMostComputed = 1000;        // In nodes.
constexpr size_t kMostBytes = 64 << 10;    // Of the inputs of one node.
constexpr size_t kMostLookedAt = 100'000;  // Nodes that one predicate may depend on.

}  // namespace

/// Whether each output of the node, if it is live, equals the first input.
bool KnownPredicates::passes_first(int index) const {
  switch (nodes_[index].control_flow()) {
    case ControlFlow::kSwitch:
    case ControlFlow::kEnter:
    case ControlFlow::kExit: return true;
    case ControlFlow::kMerge: return unchanged_.count(index) > 0;
    default: return false;
  }
}

bool KnownPredicates::is_open(const SubgraphNode::Input& input) const {
  const SubgraphNode& node = nodes_[input.node];
  return node.fed(input.output) || (node.control_flow() == ControlFlow::kMerge && input.output == 1);
}

std::optional<bool> KnownPredicates::value_of(const SubgraphNode::Input& predicate) {
  const Tensor* const value = known(predicate);
  if (value == nullptr || value->rank() != 0 || value->dtype() != DType::kBool) return std::nullopt;
  return *value->data<bool>();
}

std::optional<int32_t> KnownPredicates::index_of(const SubgraphNode::Input& index) {
  const Tensor* const value = known(index);
  if (value == nullptr || value->rank() != 0 || value->dtype() != DType::kInt32) return std::nullopt;
  return *value->data<int32_t>();
}

bool KnownPredicates::is_computable(int index) const {
  const SubgraphNode& node = nodes_[index];
  const NodeInfo& info = *node.info;
  if (node.removed || !node.feeds.empty() || info.op->is_stateful || info.op->calls_functions()) return false;
  if (node.inputs.empty()) return false;
  if (passes_first(index)) return is_plain(info.inputs[0]);
  return info.op->control_flow == ControlFlow::kNone && std::all_of(info.inputs.begin(), info.inputs.end(), is_plain) &&
         std::all_of(info.outputs.begin(), info.outputs.end(), is_plain);
}

/// Uses an explicit stack, because a chain may be too long for recursion.
const Tensor* KnownPredicates::known(const SubgraphNode::Input& input) {
  std::vector<int> pending{input.node};
  if (is_open(input)) return nullptr;
  for (size_t looked_at = 0; !pending.empty(); ++looked_at) {
    const int index = pending.back();
    const SubgraphNode& node = nodes_[index];
    if (looked_at > kMostLookedAt) return nullptr;
    if (values_.count(index) > 0) {
      pending.pop_back();
      continue;
    }
    if (node.values || node.removed) {
      values_[index] = node.removed ? Values() : *node.values;
      continue;
    }
    if (const Tensor* const value = attr_value(*node.info); value != nullptr && node.feeds.empty()) {
      values_[index] = {*value};
      continue;
    }
    if (!is_computable(index)) {
      values_[index] = {};
      continue;
    }
    const size_t count = passes_first(index) ? 1 : node.inputs.size();
    bool is_known = true, waits = false;
    for (size_t i = 0; i < count && is_known; ++i) {
      const SubgraphNode::Input& from = node.inputs[i];
      const auto found = values_.find(from.node);
      if (is_open(from) || (found != values_.end() && found->second.empty())) is_known = false;
      if (is_known && found == values_.end()) {
        pending.push_back(from.node);
        waits = true;
        break;  // If it is unknown, the other inputs do not matter.
      }
    }
    if (!waits) values_[index] = is_known ? computed(index) : Values();
  }
  const Values& values = values_[input.node];
  return values.empty() ? nullptr : &values[static_cast<size_t>(input.output)];
}

KnownPredicates::Values KnownPredicates::computed(int index) {
  const SubgraphNode& node = nodes_[index];
  const auto value = [this](const SubgraphNode::Input& input) -> const Tensor& {
    return values_[input.node][static_cast<size_t>(input.output)];
  };
  if (passes_first(index)) return Values(node.info->outputs.size(), value(node.inputs[0]));
  if (node.info->op->has(Trait::kPassesValue) && node.info->inputs[0].dtype == node.info->outputs[0].dtype) {
    return {value(node.inputs[0])};
  }
  std::vector<Tensor> inputs;
  size_t bytes = 0;
  for (const SubgraphNode::Input& input : node.inputs) {
    inputs.push_back(value(input));
    bytes += inputs.back().bytes();
  }
  if (bytes > kMostBytes || ++computed_ > kMostComputed) return {};
  auto outputs = evaluate_bounded(*node.info, inputs);
  if (!outputs.ok() || !std::all_of(outputs.value().begin(), outputs.value().end(), all_finite)) return {};
  return outputs.take();
}

std::vector<int> unchanged_variables(const Subgraph& subgraph) {
  std::vector<int> unchanged;
  for (const BackEdge& edge : subgraph.back_edges) {
    const SubgraphNode& next = subgraph.nodes[edge.from.node];
    const SubgraphNode& merge = subgraph.nodes[edge.merge];
    if (next.removed || next.control_flow() != ControlFlow::kNextIteration || next.fed(0)) continue;
    if (merge.inputs.size() != 1 || !merge.feeds.empty()) continue;
    const SubgraphNode::Input from = behind_identities(subgraph, next.inputs[0]);
    const SubgraphNode& in_body = subgraph.nodes[from.node];
    if (in_body.fed(from.output) || in_body.control_flow() != ControlFlow::kSwitch) continue;
    const SubgraphNode::Input data = in_body.inputs[0];
    if (data.node == edge.merge && data.output == 0) unchanged.push_back(edge.merge);
  }
  return unchanged;
}

}  // namespace tinytf
