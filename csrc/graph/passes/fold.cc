#include "graph/passes/fold.h"

#include <algorithm>

#include "graph/constant_value.h"
#include "graph/known_shapes.h"
#include "graph/passes/guards.h"
#include "graph/shape_claims.h"
#include "tensor/finite.h"

namespace tinytf {

namespace {

/// Bytes of a node's values, as far as shapes tell before they are computed.
size_t known_bytes(const Node& node) {
  size_t bytes = 0;
  for (int i = 0; i < node.num_outputs(); ++i) {
    const PartialShape& shape = node.output_shapes[i];
    if (shape.fully_defined())
      bytes += static_cast<size_t>(shape.num_elements()) * dtype_size(node.info->outputs[i].dtype);
  }
  return bytes;
}

/// What is not so the step says.
bool are_as_claimed(const NodeInfo& node, const std::vector<PartialShape>& claims, const std::vector<Tensor>& values) {
  for (size_t i = 0; i < claims.size(); ++i) {
    if (!check_claim(node, static_cast<int>(i), claims[i], values[i].shape()).ok()) return false;
  }
  return true;
}

}  // namespace

ConstantFolding::ConstantFolding(Subgraph& subgraph, size_t max_bytes, const std::vector<bool>& knows_shapes)
    : subgraph_(subgraph), max_bytes_(max_bytes), candidates_(subgraph.nodes.size()) {
  if (!knows_shapes.empty()) find_shapes(knows_shapes);
  for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
    SubgraphNode& node = subgraph.nodes[i];
    if (node.removed || !foldable(node)) continue;
    const NodeInfo& info = *node.info;
    if (const Tensor* value = attr_value(info)) {
      node.values = std::vector<Tensor>{*value};
    } else if (known_bytes(*node.origin) <= max_bytes) {
      candidates_[i].emplace().claims = claims_to_check(*node.origin);
    }
  }
  find_wanted();
}

/// Feeds have the static shapes of what they are fed for. A reference's shape may change, as may what was inferred
/// before an input was replaced.
void ConstantFolding::find_shapes(const std::vector<bool>& where) {
  std::vector<bool> is_outdated(subgraph_.nodes.size());
  for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
    SubgraphNode& node = subgraph_.nodes[i];
    const auto is_unsure = [&](const SubgraphNode::Input& input) {
      const SubgraphNode& source = subgraph_.nodes[input.node];
      return !source.fed(input.output) && (is_outdated[input.node] || source.info->outputs[input.output].is_ref);
    };
    const auto reads_outdated = [&](const SubgraphNode::Input& input) {
      return is_outdated[input.node] && !subgraph_.nodes[input.node].fed(input.output);
    };
    is_outdated[i] = node.origin->was_changed || std::any_of(node.inputs.begin(), node.inputs.end(), reads_outdated);
    if (!where[i] || node.removed || node.values || !node.feeds.empty()) continue;
    if (std::any_of(node.inputs.begin(), node.inputs.end(), is_unsure)) continue;
    node.values = values_of_shapes(*node.origin);
    if (!node.values) continue;
    for (const Endpoint& input : node.origin->inputs) rely_on_shapes(*input.node);
  }
}

bool ConstantFolding::foldable(const SubgraphNode& node) const {
  const NodeInfo& info = *node.info;
  if (info.op->is_stateful || !node.control_inputs.empty() || !node.feeds.empty() || node.values) return false;
  if (info.op->calls_functions() || info.op->control_flow != ControlFlow::kNone) return false;
  const bool yields_constants = info.op->has(Trait::kConstant) || info.op->may_block;  // also without inputs
  if (info.outputs.empty() || (node.inputs.empty() && !yields_constants)) return false;
  for (const ArgType& type : info.outputs) {
    if (type.is_ref || type.dtype == DType::kResource || type.dtype == DType::kVariant) return false;
  }
  return std::all_of(node.inputs.begin(), node.inputs.end(), [this](const SubgraphNode::Input& input) {
    const SubgraphNode& source = subgraph_.nodes[input.node];
    return !source.fed(input.output) && (candidates_[input.node] || (source.values && !source.values->empty()));
  });
}

void ConstantFolding::find_wanted() {
  for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
    const SubgraphNode& node = subgraph_.nodes[i];
    if (node.removed || node.values || candidates_[i]) continue;
    for (const auto& input : node.inputs) want(input.node);
    for (int control : node.control_inputs) want(control);
  }
  for (const auto& fetch : subgraph_.fetches) want(fetch.node);
  for (int target : subgraph_.targets) {
    if (target >= 0) want(target);
  }
}

std::vector<const Node*> ConstantFolding::wanted() const {
  std::vector<const Node*> nodes;
  for (size_t i = 0; i < candidates_.size(); ++i) {
    if (candidates_[i] && candidates_[i]->wanted && subgraph_.nodes[i].call == nullptr)
      nodes.push_back(subgraph_.nodes[i].origin);
  }
  return nodes;
}

void ConstantFolding::know(const std::unordered_map<const Node*, FoldedValues>& values) {
  for (size_t i = 0; i < candidates_.size(); ++i) {
    if (!candidates_[i] || !candidates_[i]->wanted || subgraph_.nodes[i].call != nullptr) continue;
    // Claims that are to be checked now may not have been when the value was computed.
    if (subgraph_.nodes[i].origin->is_relied_on.load(std::memory_order_relaxed)) continue;
    const auto found = values.find(subgraph_.nodes[i].origin);
    if (found != values.end()) candidates_[i]->known = found->second;
  }
}

std::vector<bool> ConstantFolding::needed() {
  std::vector<bool> needed(candidates_.size(), false);
  for (size_t i = candidates_.size(); i-- > 0;) {  // readers come first
    if (!candidates_[i]) continue;
    if (candidates_[i]->wanted) needed[i] = true;
    if (!needed[i] || candidates_[i]->known) continue;
    for (const auto& input : subgraph_.nodes[i].inputs) {
      if (!candidates_[input.node]) continue;
      needed[input.node] = true;
      ++candidates_[input.node]->readers;
    }
  }
  return needed;
}

bool ConstantFolding::has_inputs(const SubgraphNode& node) const {
  return std::all_of(node.inputs.begin(), node.inputs.end(),
                     [this](const auto& input) { return subgraph_.nodes[input.node].values.has_value(); });
}

Result<std::vector<Tensor>> ConstantFolding::values_of(int index, Parallel* parallel, int64_t step_id) const {
  const NodeInfo& info = *subgraph_.nodes[index].info;
  std::vector<Tensor> inputs;
  for (const auto& input : subgraph_.nodes[index].inputs) {
    inputs.push_back((*subgraph_.nodes[input.node].values)[input.output]);
  }
  // Kernels that read files refuse to run in no step: what they read may change from one to the next.
  TINYTF_ASSIGN_OR_RETURN(std::vector<Tensor> values,
                          evaluate_node(info, inputs, parallel, nullptr, info.op->may_block ? step_id : 0));
  size_t bytes = 0;
  for (const Tensor& value : values) bytes += value.bytes();
  if (bytes > max_bytes_) return Status(Code::kResourceExhausted, "More bytes than constants may have");
  return values;
}

void ConstantFolding::let_inputs_go(const SubgraphNode& node) {
  for (const auto& input : node.inputs) {
    std::optional<Candidate>& source = candidates_[input.node];
    if (source && --source->readers == 0 && !source->wanted) subgraph_.nodes[input.node].values->clear();
  }
}

Status ConstantFolding::compute(Parallel* parallel, LoopWatch* watch, Clock::duration budget, int64_t step_id) {
  const std::vector<bool> needed = this->needed();
  std::vector<bool> not_finite(candidates_.size(), false);  // or made of something that is not
  const auto deadline = Clock::now() + budget;
  for (size_t i = 0; i < candidates_.size(); ++i) {
    if (!candidates_[i]) continue;
    Candidate& candidate = *candidates_[i];
    SubgraphNode& node = subgraph_.nodes[i];
    if (!needed[i]) {
      node.values.emplace();  // nobody reads them
    } else if (candidate.known) {
      node.values = *candidate.known;
      kept_[node.origin] = candidate.known;
    } else if (has_inputs(node) && Clock::now() < deadline) {
      if (watch != nullptr && watch->is_over()) return Status(Code::kCancelled, "Run call was cancelled");
      auto values = values_of(static_cast<int>(i), parallel, step_id);
      if (values.status().code() == Code::kCancelled) return values.status();
      if (!values.ok() || !are_as_claimed(*node.info, candidate.claims, values.value())) continue;
      node.values = values.take();
      // What is not finite stays, with its inputs, for who asks where a NaN came from: in every plan.
      const bool is_finite = std::all_of(node.values->begin(), node.values->end(), all_finite);
      not_finite[i] = !is_finite || std::any_of(node.inputs.begin(), node.inputs.end(),
                                                [&](const auto& input) { return not_finite[input.node]; });
      if (is_finite) {
        let_inputs_go(node);
      } else {
        candidate.wanted = true;
      }
      if (candidate.wanted && !not_finite[i] && node.call == nullptr) {
        kept_[node.origin] = std::make_shared<const std::vector<Tensor>>(*node.values);
      }
    }
  }
  return Status();
}

void fold_constants(Subgraph& subgraph, size_t max_bytes) {
  const auto unconditional = find_unconditional(subgraph);
  const std::vector<bool> knows_shapes = unconditional.ok() ? unconditional.value() : std::vector<bool>();
  (void)ConstantFolding(subgraph, max_bytes, knows_shapes).compute(nullptr);  // fails only under a watch
}

}  // namespace tinytf
