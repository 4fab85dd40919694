#include <algorithm>
#include <utility>

#include "graph/passes/subgraph.h"

namespace tinytf {

namespace {

bool has_ref(const std::vector<ArgType>& types) {
  return std::any_of(types.begin(), types.end(), [](const ArgType& type) { return type.is_ref; });
}

/// Whether running the node has no effect besides its outputs. Checks have one: their errors. A node that takes the
/// output of a Switch does not run if that output is dead, but if it were dropped, its consumers would wait for the
/// Switch, which runs.
bool is_unseen(const std::vector<SubgraphNode>& nodes, const SubgraphNode& node) {
  const NodeInfo& info = *node.info;
  if (node.removed || node.values || !node.feeds.empty() || info.op->is_stateful) return false;
  if (info.inputs.empty() && !info.op->has(Trait::kConstant)) return false;
  if (info.op->control_flow != ControlFlow::kNone) return false;
  if (info.outputs.empty() || has_ref(info.inputs) || has_ref(info.outputs)) return false;
  if (info.op->has(Trait::kChecks)) return false;
  return std::none_of(node.inputs.begin(), node.inputs.end(), [&](const auto& input) {
    return nodes[input.node].info->op->control_flow == ControlFlow::kSwitch;
  });
}

/// Removes nodes without consumers and effects. Returns, by node, whether it was removed.
std::vector<bool> mark_unread(Subgraph& subgraph) {
  std::vector<SubgraphNode>& nodes = subgraph.nodes;
  std::vector<int> readers(nodes.size());
  for (const SubgraphNode& node : nodes) {
    if (node.removed || node.values) continue;
    for (const auto& input : node.inputs) ++readers[input.node];
  }
  for (const auto& fetch : subgraph.fetches) ++readers[fetch.node];
  for (int target : subgraph.targets) {
    if (target >= 0) ++readers[target];
  }
  std::vector<bool> dropped(nodes.size());
  for (size_t i = nodes.size(); i-- > 0;) {  // Consumers come before producers.
    if (readers[i] > 0 || !is_unseen(nodes, nodes[i])) continue;
    nodes[i].removed = dropped[i] = true;
    for (const auto& input : nodes[i].inputs) --readers[input.node];
  }
  return dropped;
}

/// Rewrites control edges so that they lead to nodes that run. A node with known values gets one control edge for each
/// node that it waits for.
class WaitPasser {
 public:
  WaitPasser(Subgraph& subgraph, const std::vector<bool>& dropped)
      : nodes_(subgraph.nodes), dropped_(dropped), seen_by_(nodes_.size(), nodes_.size()) {}

  void pass_all() {
    for (size_t i = 0; i < nodes_.size(); ++i) {  // Producers come before consumers.
      if (dropped_[i] || (!nodes_[i].removed && waits_through_others(nodes_[i]))) pass(i);
    }
  }

 private:
  /// Bounds the forwarded control inputs of one dropped node. Without a bound, time and memory would be quadratic in
  /// the length of chains of dropped nodes.
  static constexpr size_t kMostPassed = 64;

  bool is_known(int node) const { return nodes_[node].values.has_value(); }

  /// Whether consumers take over the node's control inputs. A node with known values and several control inputs stays
  /// between, since otherwise the number of edges would multiply.
  bool is_passed(int node) const { return is_known(node) ? nodes_[node].control_inputs.size() < 2 : dropped_[node]; }

  bool waits_through_others(const SubgraphNode& node) const {
    if (node.values) return !node.inputs.empty() || !node.control_inputs.empty();
    return std::any_of(node.control_inputs.begin(), node.control_inputs.end(),
                       [this](int c) { return is_passed(c); }) ||
           std::any_of(node.inputs.begin(), node.inputs.end(), [this](const auto& i) { return is_known(i.node); });
  }

  void pass(size_t i) {
    std::vector<int> awaited;
    const auto await = [&](int node) {
      if (std::exchange(seen_by_[node], i) != i) awaited.push_back(node);
    };
    const auto await_instead = [&](int node) {
      if (!is_passed(node)) return await(node);
      for (int other : nodes_[node].control_inputs) await(other);
    };
    for (int control : nodes_[i].control_inputs) await_instead(control);
    const bool runs = !dropped_[i] && !nodes_[i].values;
    for (const auto& input : nodes_[i].inputs) {
      const bool fed = nodes_[input.node].fed(input.output);
      if (!fed && (!runs || (is_known(input.node) && is_passed(input.node)))) await_instead(input.node);
    }
    nodes_[i].control_inputs = std::move(awaited);
    if (dropped_[i] && nodes_[i].control_inputs.size() > kMostPassed) {  // It stays, without data consumers.
      nodes_[i].removed = false;
      nodes_[i].values.emplace();
    }
  }

  std::vector<SubgraphNode>& nodes_;
  const std::vector<bool>& dropped_;
  std::vector<size_t> seen_by_;  // Last node found to wait for it.
};

/// Clears control inputs of nodes with known values, except where a consumer waits for several nodes through one of
/// them.
void forget_passed_waits(std::vector<SubgraphNode>& nodes) {
  std::vector<bool> awaited(nodes.size());
  for (size_t i = nodes.size(); i-- > 0;) {  // Consumers come before producers.
    SubgraphNode& node = nodes[i];
    if (node.removed) continue;
    if (node.values && (!awaited[i] || node.control_inputs.size() < 2)) {
      node.control_inputs.clear();
      continue;
    }
    for (int control : node.control_inputs) awaited[control] = true;
    if (node.values) continue;
    for (const auto& input : node.inputs) awaited[input.node] = true;
  }
}

}  // namespace

void drop_unread(Subgraph& subgraph) {
  const std::vector<bool> dropped = mark_unread(subgraph);
  WaitPasser(subgraph, dropped).pass_all();
  forget_passed_waits(subgraph.nodes);
}

}  // namespace tinytf
