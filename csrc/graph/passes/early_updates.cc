#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "graph/passes/find_guards.h"

namespace tinytf {

namespace {

constexpr int64_t kLargeBytes = 64 << 10;  // A smaller value may live until the end of the step.

/// The index of the node after which a node runs. Nodes with equal turns keep their order.
using Turn = size_t;

/// Container and name of a variable or other resource; both empty: it may be any.
using Key = std::pair<std::string, std::string>;
const Key kAny;

bool is_state(const ArgType& type) { return type.is_ref || type.dtype == DType::kResource; }

bool is_known_large(const SubgraphNode& node, int output) {
  const auto size = static_cast<int64_t>(dtype_size(node.info->outputs[output].dtype));
  const Node* const described = node.described();
  return size > 0 && described != nullptr && described->output_shapes[output].num_elements() >= kLargeBytes / size;
}

std::string text_attr(const NodeInfo& info, const char* name) {
  const AttrValue* value = info.attrs.find(name);
  const auto* text = value != nullptr ? std::get_if<std::string>(value) : nullptr;
  return text != nullptr ? *text : std::string();
}

/// The last turn in which each variable was accessed.
class Touches {
 public:
  void add(const Key& key, Turn turn) {
    Turn& last = by_key_[key];
    last = std::max(last, turn);
    last_ = std::max(last_, turn);
  }
  Turn last(const Key& key) const { return key == kAny ? last_ : std::max(at(key), at(kAny)); }

 private:
  Turn at(const Key& key) const {
    const auto found = by_key_.find(key);
    return found != by_key_.end() ? found->second : 0;
  }

  std::map<Key, Turn> by_key_;
  Turn last_ = 0;
};

class EarlyUpdates {
 public:
  explicit EarlyUpdates(const Subgraph& subgraph)
      : nodes_(subgraph.nodes), is_read_(nodes_.size()), views_(nodes_.size()) {
    for (const SubgraphNode& node : nodes_) {
      if (node.removed) continue;
      for (const auto& input : node.inputs) is_read_[input.node] = true;
    }
    for (const auto& fetch : subgraph.fetches) is_read_[fetch.node] = true;
  }

  /// Whether there are any updates.
  bool has_updates() const {
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (runs(i) && is_update(i)) return true;
    }
    return false;
  }
  /// Whether any update would move forward.
  bool any() const { return any_; }
  /// By node: its own index, or an earlier turn. A node keeps its place if a node that is conditional or in a loop
  /// accesses the same variable before it, since the order does not tell when such a node runs.
  std::vector<Turn> turns(const std::vector<bool>& unconditional) {
    turns_.reserve(nodes_.size());
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (!runs(i) && nodes_[i].control_inputs.empty()) {  // Its values are available from the beginning.
        turns_.push_back(0);
        continue;
      }
      const std::vector<Key> keys = own_keys(i);
      const bool updates = unconditional[i] && is_update(i), only_reads = is_read_of_state(i);
      Touches& before = only_reads ? writes_ : touches_;
      const bool moves = unconditional[i] && (updates || only_reads || is_state_itself(i)) && !is_pinned(keys);
      turns_.push_back(moves ? earliest(i, keys, before) : i);
      if (updates && turns_[i] < i) any_ = true;
      for (const Key& key : keys) {
        touches_.add(key, turns_[i]);
        if (!only_reads) writes_.add(key, turns_[i]);
        if (!unconditional[i]) pinned_.add(key, i + 1);
      }
      for (const auto& input : nodes_[i].inputs) {  // The input may share memory with the variable that was read.
        for (const Key& key : views_[input.node]) touches_.add(key, turns_[i]);
      }
      if (is_read_[i]) views_[i] = keys;
    }
    return std::move(turns_);
  }

 private:
  bool runs(size_t i) const { return !nodes_[i].removed && !nodes_[i].values; }

  bool is_pinned(const std::vector<Key>& keys) const {
    return std::any_of(keys.begin(), keys.end(), [this](const Key& key) { return pinned_.last(key) > 0; });
  }

  /// Whether the node is a variable or another resource.
  bool is_state_itself(size_t i) const {
    const NodeInfo& info = *nodes_[i].info;
    return info.inputs.empty() && info.outputs.size() == 1 && is_state(info.outputs[0]);
  }

  /// Whether the node only reads a variable.
  bool is_read_of_state(size_t i) const {
    if (nodes_[i].described() == nullptr) return false;
    const Node& node = *nodes_[i].described();
    if (node.inputs.size() != 1 || node.num_outputs() != 1 || !is_state(node.info->inputs[0])) return false;
    const ArgType output = node.info->outputs[0];
    const auto& handles = node.inputs[0].node->output_handles;
    const auto handle = handles.empty() ? std::nullopt : handles[node.inputs[0].index];
    return output == ArgType{handle ? handle->dtype : node.info->inputs[0].dtype};
  }

  /// Whether the node changes state by a large value and has no outputs that are read.
  bool is_update(size_t i) const {
    const SubgraphNode& node = nodes_[i];
    const std::vector<ArgType>& types = node.info->inputs;
    if (is_read_[i] || !node.feeds.empty() || types.empty() || !is_state(types[0])) return false;
    for (size_t k = 1; k < node.inputs.size(); ++k) {
      const auto [source, output] = node.inputs[k];
      if (!is_state(types[k]) && runs(source) && is_known_large(nodes_[source], output)) return true;
    }
    return false;
  }

  Turn earliest(size_t i, const std::vector<Key>& keys, const Touches& before) const {
    Turn turn = 0;
    for (const auto& input : nodes_[i].inputs) turn = std::max(turn, turns_[input.node]);
    for (int control : nodes_[i].control_inputs) turn = std::max(turn, turns_[control]);
    for (const Key& key : keys) turn = std::max(turn, before.last(key));
    return turn;
  }

  /// The variables and other resources among the node's inputs.
  std::vector<Key> own_keys(size_t i) const {
    std::vector<Key> keys;
    for (const auto& input : nodes_[i].inputs) {
      if (is_state(nodes_[input.node].info->outputs[input.output])) keys.push_back(key_of(input.node));
    }
    return keys;
  }

  Key key_of(int source) const {
    const SubgraphNode* node = &nodes_[source];
    while (!node->inputs.empty() && node->feeds.empty() && is_state(node->info->inputs[0])) {
      node = &nodes_[node->inputs[0].node];
    }
    if (!node->inputs.empty() || !node->feeds.empty()) return kAny;
    std::string name = text_attr(*node->info, "shared_name");
    return {text_attr(*node->info, "container"), name.empty() ? node->info->name : std::move(name)};
  }

  const std::vector<SubgraphNode>& nodes_;
  std::vector<bool> is_read_;            // By node: one of its outputs is read.
  std::vector<std::vector<Key>> views_;  // By node: the variables whose memory its outputs may share.
  std::vector<Turn> turns_;
  Touches touches_, writes_, pinned_;
  bool any_ = false;
};

/// Reorders the nodes: `order[i]` is the current index of the i-th node.
void reorder(Subgraph& subgraph, const std::vector<int>& order) {
  std::vector<int> place(order.size());
  std::vector<SubgraphNode> nodes;
  nodes.reserve(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = static_cast<int>(i);
    nodes.push_back(std::move(subgraph.nodes[order[i]]));
  }
  for (SubgraphNode& node : nodes) {
    for (auto& input : node.inputs) input.node = place[input.node];
    for (int& control : node.control_inputs) control = place[control];
  }
  for (BackEdge& edge : subgraph.back_edges) {
    edge.merge = place[edge.merge];
    edge.from.node = place[edge.from.node];
  }
  for (auto& fetch : subgraph.fetches) fetch.node = place[fetch.node];
  for (int& target : subgraph.targets) {
    if (target >= 0) target = place[target];
  }
  subgraph.nodes = std::move(nodes);
}

}  // namespace

void run_updates_early(Subgraph& subgraph) {
  EarlyUpdates updates(subgraph);
  if (!updates.has_updates()) return;
  const auto unconditional = find_unconditional(subgraph);
  if (!unconditional.ok()) return;  // Building the program reports the error.
  const std::vector<Turn> turns = updates.turns(unconditional.value());
  if (!updates.any()) return;
  std::vector<int> order(turns.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return turns[a] < turns[b]; });
  reorder(subgraph, order);
}

}  // namespace tinytf
