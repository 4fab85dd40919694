#include "graph/passes/fold.h"

#include <algorithm>
#include <map>

#include "graph/constant_value.h"
#include "graph/passes/find_guards.h"
#include "graph/passes/waiting_constants.h"
#include "graph/shape_claims.h"
#include "tensor/finite.h"

namespace tinytf {

namespace {

/// Whether the values match the claimed shapes. If not, the node is left to the step, which reports the error.
bool are_as_claimed(const NodeInfo& node, const std::vector<PartialShape>& claims, const std::vector<Tensor>& values) {
  for (size_t i = 0; i < claims.size(); ++i) {
    if (!check_claim(node, static_cast<int>(i), claims[i], values[i].shape()).ok()) return false;
  }
  return true;
}

}  // namespace

ConstantFolding::ConstantFolding(Subgraph& subgraph, size_t max_bytes, const std::vector<bool>& knows_shapes)
    : subgraph_(subgraph),
      max_bytes_(max_bytes),
      foldable_(subgraph, max_bytes),
      candidates_(subgraph.nodes.size()),
      is_of_plan_(subgraph.nodes.size()) {
  if (!knows_shapes.empty()) fold_shapes(subgraph, knows_shapes);
  for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
    SubgraphNode& node = subgraph.nodes[i];
    if (!foldable_.add(static_cast<int>(i))) continue;
    const Tensor* const value = attr_value(*node.info);
    if (value == nullptr) {
      candidates_[i].emplace().claims = claims_to_check(*node.origin);
    } else if (node.control_inputs.empty()) {
      node.values = std::vector<Tensor>{*value};
    }
  }
  find_wanted();
}

bool ConstantFolding::stays(int index) const {
  if (!candidates_[index]) return true;
  return !foldable_.waits(index).empty() && !subgraph_.nodes[index].info->op->may_block;
}

void ConstantFolding::find_wanted() {
  for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
    const SubgraphNode& node = subgraph_.nodes[i];
    if (node.removed || node.values || !stays(static_cast<int>(i))) continue;
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
    // Claims that must be checked now may not have been checked when the value was computed.
    if (subgraph_.nodes[i].origin->is_relied_on.load(std::memory_order_relaxed)) continue;
    const auto found = values.find(subgraph_.nodes[i].origin);
    if (found != values.end()) candidates_[i]->known = found->second;
  }
}

std::vector<bool> ConstantFolding::needed() {
  std::vector<bool> needed(candidates_.size(), false);
  for (size_t i = candidates_.size(); i-- > 0;) {  // Consumers come first.
    if (!candidates_[i]) continue;
    if (candidates_[i]->wanted) needed[i] = true;
    if (!needed[i] || candidates_[i]->known) continue;
    for (const auto& input : subgraph_.nodes[i].inputs) {
      const int origin = foldable_.origin_of(input).node;
      if (!candidates_[origin]) continue;
      needed[origin] = true;
      ++candidates_[origin]->readers;
    }
  }
  return needed;
}

const Tensor* ConstantFolding::value_of(const SubgraphNode::Input& input) const {
  const SubgraphNode::Input origin = foldable_.origin_of(input);
  const SubgraphNode& node = subgraph_.nodes[origin.node];
  return node.values ? &(*node.values)[origin.output] : attr_value(*node.info);
}

bool ConstantFolding::has_inputs(const SubgraphNode& node) const {
  return std::all_of(node.inputs.begin(), node.inputs.end(),
                     [this](const auto& input) { return value_of(input) != nullptr; });
}

Result<std::vector<Tensor>> ConstantFolding::values_of(int index, Parallel* parallel, int64_t step_id) const {
  const NodeInfo& info = *subgraph_.nodes[index].info;
  std::vector<Tensor> inputs;
  for (const auto& input : subgraph_.nodes[index].inputs) inputs.push_back(*value_of(input));
  // Kernels that read files refuse step id 0, because a file may change between steps.
  TINYTF_ASSIGN_OR_RETURN(std::vector<Tensor> values,
                          evaluate_node(info, inputs, parallel, nullptr, info.op->may_block ? step_id : 0));
  size_t bytes = 0;
  for (const Tensor& value : values) bytes += value.bytes();
  if (bytes > max_bytes_)
    return Status(Code::kResourceExhausted,
                  str_cat("The folded values have ", bytes, " bytes; the limit is ", max_bytes_));
  return values;
}

void ConstantFolding::let_inputs_go(const SubgraphNode& node) {
  for (const auto& input : node.inputs) {
    const int origin = foldable_.origin_of(input).node;
    std::optional<Candidate>& source = candidates_[origin];
    if (!source || --source->readers > 0 || source->wanted || !foldable_.waits(origin).empty()) continue;
    subgraph_.nodes[origin].values->clear();
  }
}

Status ConstantFolding::compute_node(int index, Parallel* parallel, int64_t step_id) {
  Candidate& candidate = *candidates_[index];
  SubgraphNode& node = subgraph_.nodes[index];
  auto values = values_of(index, parallel, step_id);
  if (values.status().code() == Code::kCancelled) return values.status();
  if (!values.ok() || !are_as_claimed(*node.info, candidate.claims, values.value())) return Status();
  node.values = values.take();
  // Values with NaN or infinity stay, with their inputs, in every plan, so that the NaN watch can tell their origin.
  // Each plan calls Python functions itself, so that all of its values come from the same call.
  const bool is_finite = std::all_of(node.values->begin(), node.values->end(), all_finite);
  is_of_plan_[index] = !is_finite || node.info->op->may_block ||
                       std::any_of(node.inputs.begin(), node.inputs.end(),
                                   [&](const auto& input) { return is_of_plan_[foldable_.origin_of(input).node]; });
  if (is_finite) {
    let_inputs_go(node);
  } else {
    candidate.wanted = true;
  }
  if (candidate.wanted && !is_of_plan_[index] && node.call == nullptr) {
    kept_[node.origin] = std::make_shared<const std::vector<Tensor>>(*node.values);
  }
  return Status();
}

Status ConstantFolding::compute(Parallel* parallel, LoopStopCheck* stop_check, Clock::duration budget,
                                int64_t step_id) {
  const std::vector<bool> needed = this->needed();
  const auto deadline = Clock::now() + budget;
  for (size_t i = 0; i < candidates_.size(); ++i) {
    if (!candidates_[i]) continue;
    const int index = static_cast<int>(i);
    SubgraphNode& node = subgraph_.nodes[i];
    if (!needed[i]) {
      if (foldable_.waits(index).empty()) node.values.emplace();  // Only folded nodes read them.
    } else if (const FoldedValues& known = candidates_[i]->known) {
      node.values = *known;
      kept_[node.origin] = known;
    } else if (has_inputs(node) && Clock::now() < deadline) {
      if (stop_check != nullptr && stop_check->is_over()) return Status(Code::kCancelled, "Run call was cancelled");
      TINYTF_RETURN_IF_ERROR(compute_node(index, parallel, step_id));
    }
  }
  let_values_wait();
  return Status();
}

/// Handles nodes with control inputs. A node whose values only other folded nodes needed stays unfolded, and so does
/// one whose values are not finite, because the NaN watch does not examine constants.
void ConstantFolding::let_values_wait() {
  std::map<int, std::vector<int>> waits;
  for (size_t i = 0; i < candidates_.size(); ++i) {
    const int index = static_cast<int>(i);
    SubgraphNode& node = subgraph_.nodes[i];
    if (!candidates_[i] || !node.values || foldable_.waits(index).empty()) continue;
    if (stays(index) || !std::all_of(node.values->begin(), node.values->end(), all_finite)) {
      node.values.reset();
    } else {
      waits.emplace(index, foldable_.waits(index));
    }
  }
  place_waiting_constants(subgraph_, waits);
}

void fold_constants(Subgraph& subgraph, size_t max_bytes) {
  const auto unconditional = find_unconditional(subgraph);
  const std::vector<bool> knows_shapes = unconditional.ok() ? unconditional.value() : std::vector<bool>();
  (void)ConstantFolding(subgraph, max_bytes, knows_shapes).compute(nullptr);  // Only a stop check makes it fail.
}

}  // namespace tinytf
