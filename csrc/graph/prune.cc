#include <queue>

#include "graph/subgraph.h"

namespace tinytf {

namespace {

/// Feed positions by node.
using FeedMap = std::unordered_map<const Node*, std::vector<int>>;

FeedMap map_feeds(const std::vector<Endpoint>& feeds) {
  FeedMap map;
  for (size_t i = 0; i < feeds.size(); ++i) {
    auto& positions = map[feeds[i].node];
    positions.resize(feeds[i].node->info.outputs.size(), -1);
    positions[feeds[i].index] = static_cast<int>(i);
  }
  return map;
}

bool is_fed(const FeedMap& feeds, Endpoint e) {
  auto found = feeds.find(e.node);
  return found != feeds.end() && found->second[e.index] >= 0;
}

/// Whether a node that somebody waits for must run: a feed stands for it, as for its value.
bool must_run(const FeedMap& feeds, Node* node) { return node->num_outputs() == 0 || !is_fed(feeds, {node, 0}); }

/// Nodes reachable backwards, marked by what is needed of them.
struct Needs {
  std::unordered_map<const Node*, bool> runs;  // node → whether it must run (false: only fed outputs are read)
  std::vector<Node*> order;

  void visit(Node* node, bool run, std::vector<Node*>& stack) {
    auto [entry, is_new] = runs.try_emplace(node, false);
    if (is_new) order.push_back(node);
    if (run && !entry->second) {
      entry->second = true;
      stack.push_back(node);
    }
  }
};

}  // namespace

Result<Subgraph> prune(const std::vector<Endpoint>& feeds, const std::vector<Endpoint>& fetches,
                       const std::vector<Node*>& targets) {
  const FeedMap fed = map_feeds(feeds);
  Needs needs;
  std::vector<Node*> stack;
  for (Endpoint e : fetches) needs.visit(e.node, !is_fed(fed, e), stack);
  for (Node* node : targets) needs.visit(node, true, stack);
  while (!stack.empty()) {
    Node* node = stack.back();
    stack.pop_back();
    for (Endpoint e : node->inputs) needs.visit(e.node, !is_fed(fed, e), stack);
    for (Node* control : node->control_inputs) needs.visit(control, must_run(fed, control), stack);
  }

  // Kahn's algorithm; a heap on ids makes program order the order of ready nodes.
  std::unordered_map<const Node*, int> pending;
  std::unordered_map<const Node*, std::vector<Node*>> consumers;
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  std::unordered_map<int, Node*> by_id;
  for (Node* node : needs.order) {
    by_id[node->id] = node;
    int count = 0;
    if (needs.runs[node]) {
      for (Endpoint e : node->inputs) consumers[e.node].push_back(node), ++count;
      for (Node* control : node->control_inputs) consumers[control].push_back(node), ++count;
    }
    pending[node] = count;
    if (count == 0) ready.push(node->id);
  }
  Subgraph subgraph;
  std::unordered_map<const Node*, int> position;
  while (!ready.empty()) {
    Node* node = by_id[ready.top()];
    ready.pop();
    position[node] = static_cast<int>(subgraph.nodes.size());
    SubgraphNode& out = subgraph.nodes.emplace_back();
    out.origin = node;
    if (auto positions = fed.find(node); positions != fed.end()) out.feeds = positions->second;
    if (needs.runs[node]) {
      for (Endpoint e : node->inputs) out.inputs.push_back({position[e.node], e.index});
      for (Node* control : node->control_inputs) out.control_inputs.push_back(position[control]);
    } else {
      out.values.emplace();  // only its fed outputs are read
    }
    for (Node* consumer : consumers[node]) {
      if (--pending[consumer] == 0) ready.push(consumer->id);
    }
  }
  if (subgraph.nodes.size() != needs.order.size()) {
    for (Node* node : needs.order) {
      if (pending[node] > 0) {
        return invalid_argument("Graph is invalid, contains a cycle with ", needs.order.size() - subgraph.nodes.size(),
                                " nodes, including: ", node->name());
      }
    }
  }
  for (Endpoint e : fetches) subgraph.fetches.push_back({position[e.node], e.index});
  for (Node* node : targets) subgraph.targets.push_back(position[node]);
  return subgraph;
}

}  // namespace tinytf
