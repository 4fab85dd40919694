#include <algorithm>
#include <utility>

#include "graph/attr_proto.h"
#include "graph/call_shapes.h"
#include "graph/passes/frames.h"
#include "graph/passes/inliner.h"
#include "graph/passes/made_node.h"
#include "op/gradient_name.h"
#include "op/lowered.h"
#include "op/op_registry.h"

namespace tinytf {

namespace {

// Limits of inlining: the number of nodes of the subgraph, and the number of branches of a Case, which is lowered to a
// chain of comparisons and runs faster in its kernel if there are many branches. Beyond the limits the kernels of calls
// run the functions.
constexpr size_t kMostNodes = 200'000, kMostBranches = 4;

/// The functions that a node's attrs name.
std::vector<FuncRef> functions_of(const NodeInfo& node) {
  const auto named = [&](std::initializer_list<const char*> names) {
    std::vector<FuncRef> functions;
    for (const char* name : names) {
      if (const auto* function = node.attrs.get<FuncRef>(name)) functions.push_back(*function);
    }
    return functions;
  };
  if (node.op->has(Trait::kCallsFunction)) return named({"f"});
  if (node.op->has(Trait::kDerives)) return {gradient_name(*node.attrs.get<FuncRef>("f"))};
  if (node.op->has(Trait::kRepeats)) return named({"cond", "body"});
  if (!node.op->has(Trait::kChooses)) return {};
  if (const auto* branches = node.attrs.get<std::vector<FuncRef>>("branches")) return *branches;
  return named({"else_branch", "then_branch"});
}

using Types = std::vector<ArgType>;

/// InvalidArgument unless the function's arguments and results have the types of its call. `results` null: one result
/// of any type.
Status check(const NodeInfo& call, const std::string& name, const FunctionBody& body, const Types& arguments,
             const Types* results) {
  const auto differs = [&](const char* what, const Types& given, const std::vector<Endpoint>& own) {
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
  TINYTF_RETURN_IF_ERROR(differs("arg", arguments, body.arguments));
  if (results != nullptr) return differs("result", *results, body.results);
  if (body.results.size() == 1) return Status();
  return invalid_argument("Function ", name, " has ", body.results.size(), " results, not 1").at_node(call.name);
}

/// As above, for function number `number` of a node.
Status check(const NodeInfo& node, size_t number, const std::string& name, const FunctionBody& body) {
  if (node.op->has(Trait::kRepeats)) return check(node, name, body, node.inputs, number == 0 ? nullptr : &node.outputs);
  if (!node.op->has(Trait::kChooses)) return check(node, name, body, node.inputs, &node.outputs);
  return check(node, name, body, Types(node.inputs.begin() + 1, node.inputs.end()), &node.outputs);
}

/// Converts a call by op name to a call by attr, which has a kernel.
std::shared_ptr<const NodeInfo> call_by_attr(const NodeInfo& node) {
  auto call = std::make_shared<NodeInfo>(node);
  call->op = OpRegistry::global().find(node.op->is_stateful ? "StatefulPartitionedCall" : "PartitionedCall");
  call->attrs = AttrMap();
  const auto types = [](const Types& args) {
    std::vector<DType> types;
    for (const ArgType& arg : args) types.push_back(arg.dtype);
    return types;
  };
  call->attrs.set("Tin", types(node.inputs));
  call->attrs.set("Tout", types(node.outputs));
  call->attrs.set("f", *called_function(node));
  return call;
}

}  // namespace

bool is_never_inlined(Graph& graph, const FuncRef& function) {
  const FunctionDef* const definition = graph.functions().find(function.name);
  if (definition == nullptr) return false;
  const auto found = definition->attrs.find("_noinline");
  if (found == definition->attrs.end()) return false;
  const auto content = read_attr_content(found->second);
  return content.ok() && content.value().field == AttrContent::kBool && content.value().number != 0;
}

Status Inliner::run() {
  has_control_flow_ = has_control_flow(subgraph_);
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
  drop_unneeded(subgraph_);  // Removes nodes that compute arguments which no function reads.
  return Status();
}

Status Inliner::add(SubgraphNode node) {
  if (node.info->op->has(Trait::kFunction)) node.info = call_by_attr(*node.info);
  TINYTF_ASSIGN_OR_RETURN(const Bodies bodies, bodies_of(node));
  if (bodies.empty()) {
    nodes_.push_back(std::move(node));
    return Status();
  }
  read_references(node);
  TINYTF_ASSIGN_OR_RETURN(Called called, add_called(node, bodies));
  nodes_.push_back(stand_in(std::move(node), std::move(called)));
  return Status();
}

Result<Inliner::Bodies> Inliner::bodies_of(const SubgraphNode& node) {
  Bodies bodies;
  if (!node.info->op->calls_functions() || node.removed || node.values || nodes_.size() >= kMostNodes) return bodies;
  const std::vector<FuncRef> functions = functions_of(*node.info);
  if (functions.size() > kMostBranches && !known_branch(node, functions.size())) return bodies;
  if (node.info->op->has(Trait::kRepeats) && node.inputs.empty()) return bodies;  // A loop needs a variable.
  for (const FuncRef& function : functions) {
    const auto found = graph_.function(function);
    if (!found.ok()) return found.status().at_node(node.info->name);
    if (std::find(stack_.begin(), stack_.end(), found.value().get()) != stack_.end()) return Bodies();
    TINYTF_RETURN_IF_ERROR(check(*node.info, bodies.size(), function.name, *found.value()));
    bodies.push_back(found.value());
    if (is_never_inlined(graph_, function)) apart_.insert(found.value().get());
  }
  return bodies;
}

Result<Inliner::Called> Inliner::add_called(const SubgraphNode& node, const Bodies& bodies) {
  if (node.info->op->has(Trait::kRepeats)) return add_loop(node, *bodies[0], *bodies[1]);
  if (!node.info->op->has(Trait::kChooses)) return add_body(within_iteration(node), *bodies[0]);
  if (const auto branch = known_branch(node, bodies.size())) return add_known(node, *branch, *bodies[branch->number]);
  if (node.info->attrs.get<std::vector<FuncRef>>("branches") != nullptr) return choose_branch(node, bodies, 0);
  const SubgraphNode call = given(node, {node.inputs.begin() + 1, node.inputs.end()}, node.control_inputs);
  TINYTF_ASSIGN_OR_RETURN(const Input holds, truth_of(node, node.inputs[0]));
  return choose(
      call, holds, [&](const SubgraphNode& caller) { return add_part(named(caller, "/then"), *bodies[1], 1); },
      [&](const SubgraphNode& caller) { return add_part(named(caller, "/else"), *bodies[0]); });
}

SubgraphNode Inliner::within_iteration(const SubgraphNode& call) {
  if (!call.control_inputs.empty() || call.inputs.empty() || (around_.empty() && !has_control_flow_)) return call;
  if (!around_.empty()) return given(call, call.inputs, around_);
  AttrMap attrs;
  attrs.set("T", type_of(call.inputs[0]));
  const Input there = add_node(call, "Identity", {type_of(call.inputs[0])}, {call.inputs[0]}, {}, std::move(attrs));
  return given(call, call.inputs, {there.node});
}

Result<Inliner::Called> Inliner::add_part(const SubgraphNode& caller, const FunctionBody& body, size_t branch) {
  std::vector<int> around = std::exchange(around_, caller.control_inputs);
  auto called = add_body(caller, body, branch);
  around_ = std::move(around);
  return called;
}

Result<Inliner::Called> Inliner::add_body(const SubgraphNode& caller, const FunctionBody& body, size_t branch) {
  const auto lock = body.graph->lock();
  TINYTF_ASSIGN_OR_RETURN(Subgraph inner, prune(body.arguments, body.results, body.targets));
  stack_.push_back(&body);
  const OpDef& op = *caller.info->op;
  const bool is_apart =
      apart_.count(&body) > 0 || ((op.has(Trait::kChooses) || op.has(Trait::kRepeats)) && !is_lowered(*caller.info));
  const auto path = std::make_shared<const CallPath>(
      CallPath{caller.origin, caller.call, body.name, is_apart, static_cast<int>(branch)});
  std::vector<int> places(inner.nodes.size(), -1);
  const auto placed = [&](const Input& input) -> Input {
    const SubgraphNode& source = inner.nodes[input.node];
    return source.fed(input.output) ? caller.inputs[source.feeds[input.output]]
                                    : Input{places[input.node], input.output};
  };
  for (size_t i = 0; i < inner.nodes.size(); ++i) {
    SubgraphNode& node = inner.nodes[i];
    if (node.values) continue;  // Represents fed arguments only.
    SubgraphNode copy;
    copy.origin = node.origin;
    copy.call = path;
    auto info = std::make_shared<NodeInfo>(*node.info);
    info->name = str_cat(caller.info->name, "/", info->name);
    if (const auto* frame = info->attrs.get<std::string>("frame_name");
        frame != nullptr && info->op->control_flow == ControlFlow::kEnter) {  // Each call has its own loops.
      info->attrs.set("frame_name", str_cat(caller.info->name, "/", *frame));
    }
    if (info->device.empty()) info->device = caller.info->device;
    copy.info = std::move(info);
    bool waits = false;  // For a node of the body.
    for (const auto& input : node.inputs) {
      waits |= !inner.nodes[input.node].fed(input.output);
      copy.inputs.push_back(placed(input));
    }
    for (const int control : node.control_inputs) {
      waits |= places[control] >= 0;
      copy.control_inputs.push_back(places[control] >= 0 ? places[control] : placed({control, 0}).node);
    }
    if (!waits) {
      copy.control_inputs.insert(copy.control_inputs.end(), caller.control_inputs.begin(), caller.control_inputs.end());
    }
    TINYTF_RETURN_IF_ERROR(add(std::move(copy)));
    places[i] = last();
  }
  for (const BackEdge& edge : inner.back_edges) {
    back_edges_.push_back({places[edge.merge], edge.position, placed(edge.from)});
  }
  stack_.pop_back();
  Called called;
  for (const auto& result : inner.fetches) called.results.push_back(behind_copy(placed(result)));
  for (const int target : inner.targets) {
    if (places[target] >= 0) called.effects.push_back(places[target]);
  }
  return called;
}

/// Function results are usually copies, which a caller does not need.
Inliner::Input Inliner::behind_copy(Input result) const {
  const SubgraphNode& node = nodes_[result.node];
  if (node.fed(result.output) || node.values || !node.control_inputs.empty()) return result;
  if (!node.info->op->has(Trait::kPassesValue) || node.info->op->control_flow != ControlFlow::kNone) return result;
  if (node.info->inputs[0].is_ref || node.info->inputs[0].dtype != node.info->outputs[0].dtype) return result;
  const Input input = node.inputs[0];
  const SubgraphNode& source = nodes_[input.node];
  if (source.fed(input.output)) return input;
  const bool may_be_dead = source.control_flow() != ControlFlow::kNone;
  return may_be_dead || source.info->outputs[input.output].is_ref ? result : input;
}

Inliner::Input Inliner::add_node(const SubgraphNode& of, const char* op, std::vector<DType> outputs,
                                 std::vector<Input> inputs, std::vector<int> controls, AttrMap attrs) {
  std::vector<ArgType> taken, yielded;
  for (const Input& input : inputs) taken.push_back({type_of(input), false});
  for (const DType type : outputs) yielded.push_back({type, false});
  SubgraphNode node = made_node(of, op, std::move(taken), std::move(yielded), std::move(attrs));
  node.inputs = std::move(inputs);
  node.control_inputs = std::move(controls);
  nodes_.push_back(std::move(node));
  return {last(), 0};
}

SubgraphNode Inliner::given(const SubgraphNode& node, std::vector<Input> inputs, std::vector<int> controls) {
  SubgraphNode copy;
  copy.origin = node.origin;
  copy.call = node.call;
  copy.info = node.info;
  copy.inputs = std::move(inputs);
  copy.control_inputs = std::move(controls);
  return copy;
}

SubgraphNode Inliner::named(SubgraphNode node, const std::string& part) {
  auto info = std::make_shared<NodeInfo>(*node.info);
  info->name += part;
  node.info = std::move(info);
  return node;
}

/// Reads reference variables among the inputs: a function gets their values at the time of the call.
void Inliner::read_references(SubgraphNode& call) {
  for (auto& input : call.inputs) {
    const SubgraphNode& source = nodes_[input.node];
    if (source.fed(input.output) || !source.info->outputs[input.output].is_ref) continue;
    const DType type = source.info->outputs[input.output].dtype;
    AttrMap attrs;
    attrs.set("T", type);
    input = add_node(call, "Identity", {type}, {input}, call.control_inputs, std::move(attrs));
  }
}

/// Makes the node that replaces the call: it yields the results after the body's effects.
SubgraphNode Inliner::stand_in(SubgraphNode call, Called called) {
  auto info = std::make_shared<NodeInfo>();
  info->name = call.info->name;
  info->op = OpRegistry::global().find(called.results.empty() ? "NoOp" : "IdentityN");
  info->device = call.info->device;
  info->inputs = info->outputs = call.info->outputs;
  std::vector<DType> types;
  for (const ArgType& type : info->outputs) types.push_back(type.dtype);
  if (!types.empty()) info->attrs.set("T", std::move(types));
  call.info = std::move(info);
  call.inputs = std::move(called.results);
  call.control_inputs.insert(call.control_inputs.end(), called.effects.begin(), called.effects.end());
  return call;
}

Status inline_functions(Subgraph& subgraph, Graph& graph, bool cuts_branches) {
  const auto calls = [](const SubgraphNode& node) { return node.info->op->calls_functions(); };
  if (std::none_of(subgraph.nodes.begin(), subgraph.nodes.end(), calls)) return Status();
  return Inliner(subgraph, graph, cuts_branches).run();
}

}  // namespace tinytf
