#include <algorithm>
#include <functional>
#include <unordered_map>

#include "graph/passes/subgraph.h"

namespace tinytf {

namespace {

bool mergeable(const SubgraphNode& node) {
  const NodeInfo& info = *node.info;
  if (node.removed || node.values || !node.feeds.empty() || info.op->is_stateful || info.inputs.empty()) return false;
  // Loop variables with equal initial values are distinct.
  if (info.op->control_flow != ControlFlow::kNone) return false;
  const auto is_ref = [](const ArgType& type) { return type.is_ref; };
  return std::none_of(info.inputs.begin(), info.inputs.end(), is_ref) &&
         std::none_of(info.outputs.begin(), info.outputs.end(), is_ref);
}

std::vector<std::pair<int, int>> input_key(const SubgraphNode& node) {
  std::vector<std::pair<int, int>> key;
  for (const auto& input : node.inputs) key.emplace_back(input.node, input.output);
  if (node.info->op->is_commutative) std::sort(key.begin(), key.end());
  std::vector<int> controls = node.control_inputs;
  std::sort(controls.begin(), controls.end());
  for (int control : controls) key.emplace_back(control, -1);
  return key;
}

size_t hash_of(const SubgraphNode& node) {
  size_t hash = std::hash<const void*>()(node.info->op);
  for (const auto& [source, output] : input_key(node))
    hash = (hash * 1000003) ^ static_cast<size_t>(source * 64 + output);
  return hash;
}

bool same(const SubgraphNode& a, const SubgraphNode& b) {
  const NodeInfo& x = *a.info;
  const NodeInfo& y = *b.info;
  if (x.op != y.op || x.device != y.device || x.attrs.size() != y.attrs.size() || input_key(a) != input_key(b))
    return false;
  return std::all_of(x.attrs.begin(), x.attrs.end(), [&y](const AttrMap::Item& item) {
    const AttrValue* other = y.attrs.find(item.first);
    return other != nullptr && attr_equal(item.second, *other);
  });
}

}  // namespace

void eliminate_common_subexpressions(Subgraph& subgraph) {
  std::vector<int> merged_into(subgraph.nodes.size());
  std::unordered_multimap<size_t, int> seen;
  for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
    SubgraphNode& node = subgraph.nodes[i];
    merged_into[i] = static_cast<int>(i);
    for (auto& input : node.inputs) input.node = merged_into[input.node];
    for (int& control : node.control_inputs) control = merged_into[control];
    if (!mergeable(node)) continue;
    const size_t hash = hash_of(node);
    auto [first, last] = seen.equal_range(hash);
    auto twin = std::find_if(first, last, [&](const auto& entry) { return same(subgraph.nodes[entry.second], node); });
    if (twin != last) {
      merged_into[i] = twin->second;
      node.removed = true;
    } else {
      seen.emplace(hash, static_cast<int>(i));
    }
  }
  for (auto& fetch : subgraph.fetches) fetch.node = merged_into[fetch.node];
  for (int& target : subgraph.targets) target = target < 0 ? target : merged_into[target];
}

}  // namespace tinytf
