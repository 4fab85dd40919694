#include <algorithm>
#include <queue>

#include "graph/passes/subgraph.h"
#include "op/op_summary.h"

namespace tinytf {

namespace {

/// Feed positions by node.
using FeedMap = std::unordered_map<const Node*, std::vector<int>>;

FeedMap map_feeds(const std::vector<Endpoint>& feeds) {
  FeedMap map;
  for (size_t i = 0; i < feeds.size(); ++i) {
    auto& positions = map[feeds[i].node];
    positions.resize(feeds[i].node->info->outputs.size(), -1);
    positions[feeds[i].index] = static_cast<int>(i);
  }
  return map;
}

bool is_fed(const FeedMap& feeds, Endpoint e) {
  auto found = feeds.find(e.node);
  return found != feeds.end() && found->second[e.index] >= 0;
}

/// Whether a node that another one waits for must run. A feed of its output 0 satisfies the control edge.
bool must_run(const FeedMap& feeds, Node* node) { return node->num_outputs() == 0 || !is_fed(feeds, {node, 0}); }

/// Whether an input is a back edge.
bool closes_loop(const Node* node, Endpoint input) {
  return node->info->op->control_flow == ControlFlow::kMerge &&
         input.node->info->op->control_flow == ControlFlow::kNextIteration;
}

/// The nodes that fetches and targets need. Indexed by id, since wide graphs have far more edges than nodes.
struct Needs {
  std::vector<int> places;  // By node id: index in `order`; -1 if the node is not needed.
  std::vector<Node*> order;
  std::vector<bool> runs;  // By place: whether the node must run; false: only fed outputs are read.

  void visit(Node* node, bool run, std::vector<Node*>& stack) {
    const auto id = static_cast<size_t>(node->id);
    if (id >= places.size()) places.resize(id + 1, -1);
    if (places[id] < 0) {
      places[id] = static_cast<int>(order.size());
      order.push_back(node);
      runs.push_back(false);
    }
    const int place = places[id];
    if (run && !runs[place]) {
      runs[place] = true;
      stack.push_back(node);
    }
  }

  int place(const Node* node) const { return places[node->id]; }
};

/// The consumers of each node, by place, in one array.
struct Waiters {
  explicit Waiters(const Needs& needs) : begins(needs.order.size() + 1) {
    for_edges(needs, [this](int source, int) { ++begins[source + 1]; });
    for (size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
    places.resize(begins.back());
    std::vector<size_t> next = begins;
    for_edges(needs, [&](int source, int waiter) { places[next[source]++] = waiter; });
  }

  template <class Visit>
  static void for_edges(const Needs& needs, Visit visit) {
    for (size_t i = 0; i < needs.order.size(); ++i) {
      if (!needs.runs[i]) continue;
      for (Endpoint e : needs.order[i]->inputs) {
        if (!closes_loop(needs.order[i], e)) visit(needs.place(e.node), static_cast<int>(i));
      }
      for (const Node* control : needs.order[i]->control_inputs) visit(needs.place(control), static_cast<int>(i));
    }
  }

  std::vector<size_t> begins;
  std::vector<int> places;
};

/// The error that names the first nodes whose inputs never became ready.
Status contains_cycle(const Needs& needs, const std::vector<size_t>& pending) {
  constexpr size_t kNamed = 3;
  std::vector<const Node*> nodes;
  for (size_t i = 0; i < pending.size(); ++i) {
    if (pending[i] > 0) nodes.push_back(needs.order[i]);
  }
  const size_t count = nodes.size();
  std::sort(nodes.begin(), nodes.end(), [](const Node* a, const Node* b) { return a->id < b->id; });
  nodes.resize(std::min(count, kNamed));
  return invalid_argument("Graph is invalid, contains a cycle with ", count,
                          " nodes, including: ", str_join(nodes, ", ", [](const Node* node) { return node->name(); }));
}

}  // namespace

namespace {

Status of_another_type(const Node& node, size_t input, ArgType given, ArgType wanted) {
  const Endpoint from = node.inputs[input];
  return invalid_argument("Input ", input, " of node ", node.name(), " was passed ",
                          type_text(given.dtype, given.is_ref), " from ", from.node->name(), ":", from.index,
                          " incompatible with expected ", type_text(wanted.dtype, wanted.is_ref), ".");
}

/// InvalidArgument if an input has another dtype than the node expects, as after Graph::update_input.
Status check_types(const Node& node) {
  if (takes_its_types(node)) return Status();
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (closes_loop(&node, node.inputs[i])) continue;
    const ArgType given = node.inputs[i].node->info->outputs[node.inputs[i].index];
    if (given.dtype != node.info->inputs[i].dtype) return of_another_type(node, i, given, node.info->inputs[i]);
  }
  return Status();
}

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

  // Kahn's algorithm. The heap makes ready nodes come out in the order of their ids, that is, in program order.
  const size_t count = needs.order.size();
  const Waiters waiters(needs);
  std::vector<size_t> pending(count);  // By place.
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (size_t i = 0; i < count; ++i) {
    const Node* node = needs.order[i];
    if (needs.runs[i]) {
      const auto closes = [node](Endpoint e) { return closes_loop(node, e); };
      pending[i] = node->inputs.size() + node->control_inputs.size() -
                   static_cast<size_t>(std::count_if(node->inputs.begin(), node->inputs.end(), closes));
    }
    if (pending[i] == 0) ready.push(node->id);
  }
  Subgraph subgraph;
  subgraph.nodes.reserve(count);
  std::vector<int> positions(count);               // By place.
  std::vector<std::pair<int, const Node*>> loops;  // Merges with back edges, by position.
  const auto position = [&](const Node* node) { return positions[needs.place(node)]; };
  while (!ready.empty()) {
    const int place = needs.places[ready.top()];
    Node* node = needs.order[place];
    ready.pop();
    positions[place] = static_cast<int>(subgraph.nodes.size());
    SubgraphNode& out = subgraph.nodes.emplace_back();
    out.origin = node;
    out.info = node->info;
    if (auto found = fed.find(node); found != fed.end()) out.feeds = found->second;
    if (needs.runs[place]) {
      TINYTF_RETURN_IF_ERROR(check_types(*node));
      out.inputs.reserve(node->inputs.size());
      out.control_inputs.reserve(node->control_inputs.size());
      for (Endpoint e : node->inputs) {
        if (!closes_loop(node, e)) {
          out.inputs.push_back({position(e.node), e.index});
        } else if (loops.empty() || loops.back().second != node) {
          loops.emplace_back(positions[place], node);
        }
      }
      for (const Node* control : node->control_inputs) out.control_inputs.push_back(position(control));
    } else {
      out.values.emplace();  // Only its fed outputs are read.
    }
    for (size_t i = waiters.begins[place]; i < waiters.begins[place + 1]; ++i) {
      const int waiter = waiters.places[i];
      if (--pending[waiter] == 0) ready.push(needs.order[waiter]->id);
    }
  }
  if (subgraph.nodes.size() != count) return contains_cycle(needs, pending);
  for (const auto& [merge, node] : loops) {
    for (size_t i = 0; i < node->inputs.size(); ++i) {
      const Endpoint from = node->inputs[i];
      if (!closes_loop(node, from)) continue;
      const DType given = from.node->info->outputs[from.index].dtype, wanted = node->info->outputs[0].dtype;
      if (given != wanted) {
        return invalid_argument("Input ", i, " of node ", node->name(), " was passed ", dtype_name(given), " from ",
                                from.node->name(), ":", from.index, " incompatible with expected ", dtype_name(wanted),
                                ".");
      }
      subgraph.back_edges.push_back({merge, static_cast<int>(i), {position(from.node), from.index}});
    }
  }
  for (Endpoint e : fetches) subgraph.fetches.push_back({position(e.node), e.index});
  for (Node* node : targets) subgraph.targets.push_back(position(node));
  return subgraph;
}

}  // namespace tinytf
