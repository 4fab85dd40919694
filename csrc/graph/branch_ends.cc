#include "graph/branch_ends.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace tinytf {

namespace {

bool is(const Node& node, ControlFlow kind) { return node.info->op->control_flow == kind; }

bool takes_from(const Node& node, ControlFlow kind) {
  return std::any_of(node.inputs.begin(), node.inputs.end(), [&](Endpoint e) { return is(*e.node, kind); });
}

/// The nesting depth of nodes in branches and loops, and their consumers.
class Depths {
 public:
  explicit Depths(const std::vector<Node*>& nodes) {
    for (Node* node : nodes) {
      int depth = 0;
      const auto depends_on = [&](const Node* source) {
        readers_[source].push_back(node);
        const auto known = below_.find(source);
        if (known != below_.end()) depth = std::max(depth, known->second);
      };
      for (const Endpoint& e : node->inputs) depends_on(e.node);
      for (const Node* control : node->control_inputs) depends_on(control);
      inside_[node] = depth;
      below_[node] = std::max(0, depth + change(*node));
    }
  }

  bool is_inside(const Node* node) const { return inside_.at(node) > 0; }

  /// Adds to `ends` the nodes that depend on `node` and whose consumers are outside of all branches and loops. The
  /// search stops at these nodes.
  void add_ends(Node* node, std::unordered_set<Node*>& ends) const {
    std::vector<Node*> pending{node};
    std::unordered_set<Node*> seen{node};
    while (!pending.empty()) {
      Node* next = pending.back();
      pending.pop_back();
      if (below_.at(next) == 0) {
        ends.insert(next);
        continue;
      }
      const auto readers = readers_.find(next);
      if (readers == readers_.end()) continue;
      for (Node* reader : readers->second) {
        if (seen.insert(reader).second) pending.push_back(reader);
      }
    }
  }

 private:
  /// The difference in depth between a node's consumers and the node.
  static int change(const Node& node) {
    if (is(node, ControlFlow::kEnter)) return 1;
    if (is(node, ControlFlow::kExit)) return -1;
    if (is(node, ControlFlow::kSwitch)) return takes_from(node, ControlFlow::kLoopCond) ? 0 : 1;
    if (is(node, ControlFlow::kMerge)) return takes_from(node, ControlFlow::kNextIteration) ? 0 : -1;
    return 0;
  }

  std::unordered_map<const Node*, int> inside_, below_;
  std::unordered_map<const Node*, std::vector<Node*>> readers_;
};

}  // namespace

std::vector<Node*> with_branch_ends(const std::vector<Node*>& nodes, const std::vector<Node*>& wanted) {
  const bool has_any = std::any_of(nodes.begin(), nodes.end(),
                                   [](const Node* node) { return node->info->op->control_flow != ControlFlow::kNone; });
  if (!has_any || wanted.empty()) return wanted;
  const Depths depths(nodes);
  std::unordered_set<Node*> ends;
  for (Node* node : wanted) {
    if (depths.is_inside(node)) {
      depths.add_ends(node, ends);
    } else {
      ends.insert(node);
    }
  }
  std::vector<Node*> found;
  for (Node* node : nodes) {
    if (ends.count(node) != 0) found.push_back(node);
  }
  return found;
}

}  // namespace tinytf
