#include "graph/passes/known_predicates.h"

#include <algorithm>
#include <utility>

#include "graph/constant_value.h"
#include "graph/passes/frames.h"
#include "tensor/finite.h"

namespace tinytf {

namespace {

constexpr int kMostComputed = 1000;        // nodes
constexpr size_t kMostBytes = 64 << 10;    // of the values that one of them takes
constexpr size_t kMostLookedAt = 100'000;  // nodes that one predicate may be made of

bool is_plain(const ArgType& type) {
  return !type.is_ref && type.dtype != DType::kResource && type.dtype != DType::kVariant;
}

/// Whether the node yields what its first input is, at whichever output it yields something.
bool passes_first(const SubgraphNode& node) {
  const ControlFlow kind = node.control_flow();
  return kind == ControlFlow::kSwitch || (kind == ControlFlow::kEnter && is_constant_enter(node));
}

}  // namespace

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

bool KnownPredicates::is_computable(const SubgraphNode& node) const {
  const NodeInfo& info = *node.info;
  if (node.removed || !node.feeds.empty() || info.op->is_stateful || info.op->calls_functions()) return false;
  if (node.inputs.empty()) return false;
  if (passes_first(node)) return is_plain(info.inputs[0]);
  return info.op->control_flow == ControlFlow::kNone && std::all_of(info.inputs.begin(), info.inputs.end(), is_plain) &&
         std::all_of(info.outputs.begin(), info.outputs.end(), is_plain);
}

/// Walks with a stack of its own: chains may be longer than the thread's is deep.
const Tensor* KnownPredicates::known(const SubgraphNode::Input& input) {
  std::vector<int> pending{input.node};
  if (nodes_[input.node].fed(input.output)) return nullptr;
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
    if (!is_computable(node)) {
      values_[index] = {};
      continue;
    }
    const size_t count = passes_first(node) ? 1 : node.inputs.size();
    bool is_known = true, waits = false;
    for (size_t i = 0; i < count && is_known; ++i) {
      const SubgraphNode::Input& from = node.inputs[i];
      const auto found = values_.find(from.node);
      if (nodes_[from.node].fed(from.output) || (found != values_.end() && found->second.empty())) is_known = false;
      if (is_known && found == values_.end()) {
        pending.push_back(from.node);
        waits = true;
        break;  // if nothing is known of it, the others do not count
      }
    }
    if (!waits) values_[index] = is_known ? computed(node) : Values();
  }
  const Values& values = values_[input.node];
  return values.empty() ? nullptr : &values[static_cast<size_t>(input.output)];
}

KnownPredicates::Values KnownPredicates::computed(const SubgraphNode& node) {
  const auto value = [this](const SubgraphNode::Input& input) -> const Tensor& {
    return values_[input.node][static_cast<size_t>(input.output)];
  };
  if (passes_first(node)) return Values(node.info->outputs.size(), value(node.inputs[0]));
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

}  // namespace tinytf
