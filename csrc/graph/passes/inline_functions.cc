#include <algorithm>
#include <unordered_map>

#include "graph/function_body.h"
#include "graph/passes/subgraph.h"
#include "op/op_registry.h"

namespace tinytf {

namespace {

// What calls may grow to. Beyond, functions are run where they are called.
constexpr size_t kMostNodes = 200'000;

/// Bodies that are being put into their callers: a function that calls itself ends there.
using CallStack = std::vector<const FunctionBody*>;

class Inliner {
 public:
  Inliner(Subgraph& subgraph, Graph& graph) : subgraph_(subgraph), graph_(graph) {}

  Status run() {
    places_.reserve(subgraph_.nodes.size());
    for (SubgraphNode& node : subgraph_.nodes) {
      for (auto& input : node.inputs) input.node = places_[input.node];
      for (int& control : node.control_inputs) control = places_[control];
      TINYTF_RETURN_IF_ERROR(add(std::move(node)));
      places_.push_back(last());
    }
    for (const BackEdge& edge : subgraph_.back_edges) {
      back_edges_.push_back({places_[edge.merge], edge.position, {places_[edge.from.node], edge.from.output}});
    }
    subgraph_.back_edges = std::move(back_edges_);
    for (auto& fetch : subgraph_.fetches) fetch.node = places_[fetch.node];
    for (int& target : subgraph_.targets) target = target < 0 ? target : places_[target];
    subgraph_.nodes = std::move(nodes_);
    drop_unneeded();
    return Status();
  }

 private:
  int last() const { return static_cast<int>(nodes_.size()) - 1; }

  static bool calls(const SubgraphNode& node) {
    return node.info->op->has(Trait::kCallsFunction) && !node.removed && !node.values;
  }

  /// The node, whose inputs are in place, or what it calls; the last node that is added stands for it.
  Status add(SubgraphNode node) {
    const FuncRef* function = calls(node) ? node.info->attrs.get<FuncRef>("f") : nullptr;
    if (function != nullptr && nodes_.size() < kMostNodes) {
      const auto found = graph_.function(*function);
      if (!found.ok()) return found.status().at_node(node.info->name);
      const std::shared_ptr<const FunctionBody>& body = found.value();
      if (std::find(stack_.begin(), stack_.end(), body.get()) == stack_.end()) {
        TINYTF_RETURN_IF_ERROR(check(*node.info, function->name, *body));
        stack_.push_back(body.get());
        const Status status = add_body(node, *body);
        stack_.pop_back();
        return status;
      }
    }
    nodes_.push_back(std::move(node));
    return Status();
  }

  static Status check(const NodeInfo& call, const std::string& name, const FunctionBody& body) {
    const auto differs = [&](const char* what, const std::vector<ArgType>& given, const std::vector<Endpoint>& own) {
      if (given.size() != own.size()) {
        return invalid_argument("Function ", name, " has ", own.size(), " ", what, "s, not ", given.size())
            .at_node(call.name);
      }
      for (size_t i = 0; i < own.size(); ++i) {
        const DType type = own[i].node->info->outputs[own[i].index].dtype;
        if (type == given[i].dtype) continue;
        return invalid_argument("Expects ", what, "[", i, "] of function ", name, " to be ", dtype_name(type), " but ",
                                dtype_name(given[i].dtype), " is provided")
            .at_node(call.name);
      }
      return Status();
    };
    TINYTF_RETURN_IF_ERROR(differs("arg", call.inputs, body.arguments));
    return differs("result", call.outputs, body.results);
  }

  Status add_body(SubgraphNode& call, const FunctionBody& body) {
    const auto lock = body.graph->lock();
    TINYTF_ASSIGN_OR_RETURN(Subgraph inner, prune(body.arguments, body.results, body.targets));
    read_references(call);
    const auto path = std::make_shared<const CallPath>(CallPath{call.origin, call.call});
    std::vector<int> places(inner.nodes.size(), -1);
    const auto placed = [&](const SubgraphNode::Input& input) -> SubgraphNode::Input {
      const SubgraphNode& source = inner.nodes[input.node];
      return source.fed(input.output) ? call.inputs[source.feeds[input.output]]
                                      : SubgraphNode::Input{places[input.node], input.output};
    };
    for (size_t i = 0; i < inner.nodes.size(); ++i) {
      SubgraphNode& node = inner.nodes[i];
      if (node.values) continue;  // only stands for arguments
      SubgraphNode copy;
      copy.origin = node.origin;
      copy.call = path;
      auto info = std::make_shared<NodeInfo>(*node.info);
      info->name = str_cat(call.info->name, "/", info->name);
      if (const auto* frame = info->attrs.get<std::string>("frame_name");
          frame != nullptr && info->op->control_flow == ControlFlow::kEnter) {  // each call has loops of its own
        info->attrs.set("frame_name", str_cat(call.info->name, "/", *frame));
      }
      if (info->device.empty()) info->device = call.info->device;
      copy.info = std::move(info);
      bool waits = false;  // for a node of the body
      for (const auto& input : node.inputs) {
        waits |= !inner.nodes[input.node].fed(input.output);
        copy.inputs.push_back(placed(input));
      }
      for (const int control : node.control_inputs) {
        waits |= places[control] >= 0;
        copy.control_inputs.push_back(places[control] >= 0 ? places[control] : placed({control, 0}).node);
      }
      if (!waits) add_controls(copy, call);
      TINYTF_RETURN_IF_ERROR(add(std::move(copy)));
      places[i] = last();
    }
    for (const BackEdge& edge : inner.back_edges) {
      back_edges_.push_back({places[edge.merge], edge.position, placed(edge.from)});
    }
    std::vector<SubgraphNode::Input> results;
    for (const auto& result : inner.fetches) results.push_back(placed(result));
    for (const int target : inner.targets) {
      if (places[target] >= 0) call.control_inputs.push_back(places[target]);
    }
    nodes_.push_back(stand_in(std::move(call), std::move(results)));
    return Status();
  }

  static void add_controls(SubgraphNode& to, const SubgraphNode& of) {
    to.control_inputs.insert(to.control_inputs.end(), of.control_inputs.begin(), of.control_inputs.end());
  }

  /// A function is called with what variables hold when it is called.
  void read_references(SubgraphNode& call) {
    for (auto& input : call.inputs) {
      const SubgraphNode& source = nodes_[input.node];
      if (source.fed(input.output) || !source.info->outputs[input.output].is_ref) continue;
      SubgraphNode read;
      read.origin = source.origin;
      read.call = source.call;
      auto info = std::make_shared<NodeInfo>();
      info->name = call.info->name;
      info->op = OpRegistry::global().find("Identity");
      info->device = call.info->device;
      const DType type = source.info->outputs[input.output].dtype;
      info->attrs.set("T", type);
      info->inputs = info->outputs = {{type, false}};
      read.info = std::move(info);
      read.inputs = {input};
      add_controls(read, call);
      nodes_.push_back(std::move(read));
      input = {last(), 0};
    }
  }

  /// What takes the call's place: yields the results, after what the function does.
  static SubgraphNode stand_in(SubgraphNode call, std::vector<SubgraphNode::Input> results) {
    auto info = std::make_shared<NodeInfo>();
    info->name = call.info->name;
    info->op = OpRegistry::global().find(results.empty() ? "NoOp" : "IdentityN");
    info->device = call.info->device;
    info->inputs = info->outputs = call.info->outputs;
    std::vector<DType> types;
    for (const ArgType& type : info->outputs) types.push_back(type.dtype);
    if (!types.empty()) info->attrs.set("T", std::move(types));
    call.info = std::move(info);
    call.inputs = std::move(results);
    return call;
  }

  /// What made arguments that no function reads.
  void drop_unneeded() {
    std::vector<bool> needed(subgraph_.nodes.size());
    std::vector<int> pending;
    const auto need = [&](int node) {
      if (!needed[node]) pending.push_back(node);
      needed[node] = true;
    };
    std::vector<std::vector<int>> back(subgraph_.back_edges.empty() ? 0 : subgraph_.nodes.size());
    for (const BackEdge& edge : subgraph_.back_edges) back[edge.merge].push_back(edge.from.node);
    for (const auto& fetch : subgraph_.fetches) need(fetch.node);
    for (const int target : subgraph_.targets) {
      if (target >= 0) need(target);
    }
    while (!pending.empty()) {
      const int i = pending.back();
      pending.pop_back();
      for (const auto& input : subgraph_.nodes[i].inputs) need(input.node);
      for (const int control : subgraph_.nodes[i].control_inputs) need(control);
      if (!back.empty()) {
        for (const int from : back[i]) need(from);
      }
    }
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) subgraph_.nodes[i].removed |= !needed[i];
  }

  Subgraph& subgraph_;
  Graph& graph_;
  std::vector<SubgraphNode> nodes_;   // in their new places
  std::vector<BackEdge> back_edges_;  // as well
  std::vector<int> places_;           // of the subgraph's nodes
  CallStack stack_;
};

}  // namespace

Status inline_functions(Subgraph& subgraph, Graph& graph) {
  const auto calls = [](const SubgraphNode& node) { return node.info->op->has(Trait::kCallsFunction); };
  if (std::none_of(subgraph.nodes.begin(), subgraph.nodes.end(), calls)) return Status();
  return Inliner(subgraph, graph).run();
}

}  // namespace tinytf
