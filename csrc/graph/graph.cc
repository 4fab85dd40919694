#include "graph/graph.h"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>

#include "graph/colocation.h"
#include "graph/constant_value.h"
#include "graph/shape_claims.h"
#include "graph/unknown_op.h"
#include "op/op_registry.h"
#include "op/registration_error.h"

namespace tinytf {

namespace {

std::string lower(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = static_cast<char>(c + (c >= 'A' && c <= 'Z' ? 'a' - 'A' : 0));
  return text;
}

/// What an error of a shape function says about the node, in TensorFlow's wording.
std::string describe_inputs(const Node& node, const NodeConstants& constants) {
  const std::string shapes = str_join(node.inputs, ", ", [](Endpoint e) {
    const PartialShape& shape = e.node->output_shapes[e.index];
    return shape.known_rank() ? shape.to_string() : std::string("?");
  });
  return str_cat(" for '", node.name(), "' (op: '", node.op_name(), "') with input shapes: ", shapes,
                 constants.to_string(), ".");
}

}  // namespace

bool is_valid_node_name(std::string_view name) {
  static constexpr auto kMayFollow = [] {  // A table by character, because names in nested scopes are long.
    std::array<bool, 256> may{};
    for (const std::string_view row : {"abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789._-/"}) {
      for (const char c : row) may[static_cast<unsigned char>(c)] = true;
    }
    return may;
  }();
  const auto may_follow = [](char c) { return kMayFollow[static_cast<unsigned char>(c)]; };
  const auto may_be_first = [&](char c) { return may_follow(c) && c != '_' && c != '-' && c != '/'; };
  return !name.empty() && may_be_first(name[0]) && std::all_of(name.begin() + 1, name.end(), may_follow);
}

Result<Node*> Graph::add_node(NodeRequest request) {
  if (!is_valid_node_name(request.name)) return invalid_argument("'", request.name, "' is not a valid node name");
  std::lock_guard lock(mutex_);
  if (by_name_.count(request.name) != 0) return invalid_argument("Duplicate node name in graph: '", request.name, "'");
  const OpDef* op = request.declared != nullptr ? request.declared : find_op(request.op);
  if (op == nullptr) {
    return not_registered(str_cat("'", request.op, "'"));
  }
  auto node = std::make_unique<Node>();
  node->inputs = std::move(request.inputs);
  node->control_inputs = std::move(request.control_inputs);
  auto info = std::make_shared<NodeInfo>();
  info->name = std::move(request.name);
  info->op = op;
  info->attrs = std::move(request.attrs);
  info->device = std::move(request.device);
  info->inputs.reserve(node->inputs.size());
  for (Endpoint e : node->inputs) info->inputs.push_back(e.node->info->outputs[e.index]);
  TINYTF_RETURN_IF_ERROR(complete_node(*info, request.group_sizes));
  node->info = std::move(info);
  node->output_shapes.resize(node->info->outputs.size());
  TINYTF_RETURN_IF_ERROR(infer_shapes(*node));
  node->is_constant = depends_on_constants_only(*node);
  node->rests_on_claims = std::any_of(node->inputs.begin(), node->inputs.end(),
                                      [](const Endpoint& input) { return input.node->rests_on_claims; });
  if (is_unknown_op(*op)) node->written_attrs = std::make_unique<AttrProtos>(std::move(request.written_attrs));
  node->id = static_cast<int>(nodes_.size()) + 1;
  if (!node->info->device.empty()) last_id_with_device_ = node->id;
  Node* added = node.get();
  nodes_.push_back(std::move(node));
  by_name_.emplace(added->name(), added);
  return added;
}

Status Graph::infer_shapes(Node& node) {
  if (node.info->op->shape_fn == nullptr || node.info->outputs.empty()) {
    if (node.info->op->shape_fn == nullptr) return Status();
  }
  std::vector<PartialShape> inputs;
  std::vector<const HandleInfo*> handles;
  inputs.reserve(node.inputs.size());
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const Node& source = *node.inputs[i].node;
    inputs.push_back(source.output_shapes[node.inputs[i].index]);
    if (!source.output_handles.empty() && source.output_handles[node.inputs[i].index]) {
      handles.resize(node.inputs.size());
      handles[i] = &*source.output_handles[node.inputs[i].index];
    }
  }
  NodeConstants constants(node);
  ShapeContext context(*node.info, std::move(inputs), std::move(handles), &constants);
  const Status status = node.info->op->shape_fn(context);
  TINYTF_RETURN_IF_ERROR(constants.status());
  if (!status.ok()) return Status(status.code(), status.message() + describe_inputs(node, constants));
  for (int i = 0; i < node.num_outputs(); ++i) {
    node.output_shapes[i] = context.output(i);
    if (const HandleInfo* info = context.output_handle(i)) {
      node.output_handles.resize(node.info->outputs.size());
      node.output_handles[i] = *info;
    }
  }
  infer_call_shapes(node);
  return Status();
}

/// Replaces the node's info by a modified copy, because existing plans share the old one.
template <class Change>
void Graph::change(Node& node, Change change) {
  auto info = std::make_shared<NodeInfo>(*node.info);
  change(*info);
  by_name_.erase(node.name());  // Its key is a view into the old info.
  node.info = std::move(info);
  by_name_.emplace(node.name(), &node);
}

/// Discards values that were computed from a changed node, and determines again which nodes are constant.
void Graph::refresh_constants(Node* changed) {
  changed->was_changed = true;
  ++constants_version_;
  if (!changed->is_constant && !depends_on_constants_only(*changed)) return;
  std::unordered_set<const Node*> seen{changed};
  std::vector<Node*> affected{changed};
  // One round suffices unless a node is older than one of its inputs.
  const auto until_nothing_changes = [this](auto visit) {
    for (bool again = true; again;) {
      again = false;
      for (const auto& node : nodes_) again |= visit(node.get());
    }
  };
  until_nothing_changes([&](Node* node) {
    const bool reads =
        std::any_of(node->inputs.begin(), node->inputs.end(), [&](Endpoint e) { return seen.count(e.node); });
    if (!reads || !seen.insert(node).second) return false;
    affected.push_back(node);
    return true;
  });
  for (Node* node : affected) {
    node->is_constant = false;
    node->constant_values.reset();
  }
  until_nothing_changes([&](Node* node) {
    if (node->is_constant || !seen.count(node) || !depends_on_constants_only(*node)) return false;
    return node->is_constant = true;
  });
}

std::string Graph::unique_name(std::string_view name, bool mark_as_used) {
  std::lock_guard lock(mutex_);
  std::string key = lower(name);
  auto [entry, is_new] = names_in_use_.try_emplace(key, 0);
  int i = entry->second;
  if (mark_as_used) {
    entry->second = i + 1;
  } else if (is_new) {
    names_in_use_.erase(entry);
  }
  if (i == 0) return std::string(name);
  std::string candidate;
  do {
    candidate = str_cat(key, "_", i++);
  } while (names_in_use_.count(candidate) != 0);
  if (mark_as_used) {
    names_in_use_[candidate] = 1;
    names_in_use_[key] = i;  // The next search starts after this suffix.
  }
  return str_cat(name, "_", i - 1);
}

void Graph::mark_as_used(std::string_view name) {
  std::lock_guard lock(mutex_);
  names_in_use_.try_emplace(lower(name), 1);
}

Node* Graph::find(std::string_view name) const {
  std::lock_guard lock(mutex_);
  auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

Node* Graph::node(int id) const {
  std::lock_guard lock(mutex_);
  return id >= 1 && id <= static_cast<int>(nodes_.size()) ? nodes_[id - 1].get() : nullptr;
}

int Graph::last_id() const {
  std::lock_guard lock(mutex_);
  return static_cast<int>(nodes_.size());
}

int Graph::last_id_with_device() const {
  std::lock_guard lock(mutex_);
  return last_id_with_device_;
}

std::vector<Node*> Graph::nodes() const {
  std::lock_guard lock(mutex_);
  std::vector<Node*> nodes;
  nodes.reserve(nodes_.size());
  for (const auto& node : nodes_) nodes.push_back(node.get());
  return nodes;
}

Status Graph::set_shape(Endpoint endpoint, const PartialShape& shape) {
  std::lock_guard lock(mutex_);
  Node& node = *endpoint.node;
  PartialShape& current = node.output_shapes[endpoint.index];
  TINYTF_ASSIGN_OR_RETURN(PartialShape merged, current.merge(shape));
  // A placeholder's feeds are checked before the step, unless it is an argument of a function, where nothing is. The
  // other excluded nodes have no kernel that computes the value.
  const bool is_computed = node.info->op->control_flow == ControlFlow::kNone && !node.has(Trait::kPlaceholder) &&
                           !node.has(Trait::kVariable) && !node.has(Trait::kConstant);
  if (merged != current) {
    node.is_claimed |= is_computed;
    node.rests_on_claims = true;
  }
  current = std::move(merged);
  return Status();
}

PartialShape Graph::shape(Endpoint endpoint) const {
  std::lock_guard lock(mutex_);
  return endpoint.node->output_shapes[endpoint.index];
}

void Graph::rely_on_shapes_of(const Node& node) {
  std::lock_guard lock(mutex_);
  rely_on_shapes(node);
}

void Graph::add_control_input(Node* node, Node* input) {
  std::lock_guard lock(mutex_);
  auto& controls = node->control_inputs;
  if (std::find(controls.begin(), controls.end(), input) == controls.end()) controls.push_back(input);
}

Status Graph::update_input(Node* node, int index, Endpoint source) {
  std::lock_guard lock(mutex_);
  if (index < 0 || index >= static_cast<int>(node->inputs.size())) {
    return Status(Code::kOutOfRange,
                  str_cat("Cannot update edge. Input index [", index, "] is greater than the number of total inputs [",
                          node->inputs.size(), "]."));
  }
  const ArgType type = source.node->info->outputs[source.index];
  // As in TensorFlow, a wrong dtype is an error of the step that runs the node, not of this call.
  const bool is_of_type = type.dtype == node->info->inputs[index].dtype;
  const bool closes_loop = node->info->op->control_flow == ControlFlow::kMerge &&
                           source.node->info->op->control_flow == ControlFlow::kNextIteration;
  node->inputs[index] = source;
  change(*node, [&](NodeInfo& info) {
    if (is_of_type || closes_loop) info.inputs[index] = type;
  });
  refresh_constants(node);
  return Status();
}

Status Graph::replace_input(Node* node, int index, Endpoint source) {
  std::lock_guard lock(mutex_);
  if (index < 0 || index >= static_cast<int>(node->inputs.size())) return update_input(node, index, source);
  const Endpoint before = node->inputs[index];
  PartialShape& known =
      replaced_shapes_.try_emplace({node, index}, before.node->output_shapes[before.index]).first->second;
  const PartialShape& given = source.node->output_shapes[source.index];
  auto merged = known.merge(given);
  if (!merged.ok()) {
    return invalid_argument("Cannot update edge, incompatible shapes: ", given.to_string(), " and ", known.to_string(),
                            ".");
  }
  known = merged.take();
  return update_input(node, index, source);
}

void Graph::set_attr(Node* node, std::string_view name, AttrValue value) {
  std::lock_guard lock(mutex_);
  change(*node, [&](NodeInfo& info) { info.attrs.set(name, std::move(value)); });
  if (node->written_attrs != nullptr) node->written_attrs->erase(std::string(name));
  if (name.substr(0, 1) != "_") refresh_constants(node);  // Kernels do not read private attrs.
}

void Graph::clear_attr(Node* node, std::string_view name) {
  std::lock_guard lock(mutex_);
  change(*node, [&](NodeInfo& info) { info.attrs.erase(name); });
  if (node->written_attrs != nullptr) node->written_attrs->erase(std::string(name));
  if (name.substr(0, 1) != "_") refresh_constants(node);
}

void Graph::set_device(Node* node, std::string device) {
  std::lock_guard lock(mutex_);
  change(*node, [&](NodeInfo& info) { info.device = std::move(device); });
  if (!node->info->device.empty()) last_id_with_device_ = std::max(last_id_with_device_, node->id);
}

Graph::Place Graph::place_of(const Node& node) const {
  std::lock_guard lock(mutex_);
  Place place{node.info->device, {}};
  if (const auto* known = node.info->attrs.get<std::vector<std::string>>(kClassAttr)) {
    std::copy_if(known->begin(), known->end(), std::back_inserter(place.groups), group_name);
  }
  if (place.groups.empty()) place.groups.push_back(group_class(node.name()));
  return place;
}

void Graph::colocate(Node* node, const std::vector<Place>& others, const std::string* device, bool keeps_groups) {
  std::lock_guard lock(mutex_);
  std::set<std::string> groups;
  const auto* own = node->info->attrs.get<std::vector<std::string>>(kClassAttr);
  if (keeps_groups && own != nullptr) groups.insert(own->begin(), own->end());
  for (const Place& other : others) {
    groups.insert(other.groups.begin(), other.groups.end());
    if (!other.device.empty()) device = &other.device;
  }
  change(*node, [&](NodeInfo& info) {
    info.attrs.set(kClassAttr, std::vector<std::string>(groups.begin(), groups.end()));
    if (device != nullptr) info.device = *device;
  });
  if (!node->info->device.empty()) last_id_with_device_ = std::max(last_id_with_device_, node->id);
}

void Graph::set_ops_of(int32_t version) {
  std::lock_guard lock(mutex_);
  ops_of_ = version;
}

Status Graph::extend_call(Node* node, const LongerCall& longer) {
  std::lock_guard lock(mutex_);
  const OpDef& op = *node->info->op;
  const bool repeats = op.has(Trait::kRepeats);
  std::vector<ArgType> taken, yielded;
  for (const Endpoint& input : longer.inputs) taken.push_back(input.node->info->outputs[input.index]);
  for (const DType type : longer.outputs) yielded.push_back({type, false});
  if (!op.calls_functions() || longer.shapes.size() != yielded.size() || (repeats && taken != yielded)) {
    return invalid_argument("Node '", node->name(),
                            "' cannot be extended: its op calls no function, or the inputs and outputs do not fit");
  }
  const auto add_types = [](NodeInfo& info, const char* attr, const std::vector<ArgType>& types) {
    const auto* known = info.attrs.get<std::vector<DType>>(attr);
    std::vector<DType> all = known == nullptr ? std::vector<DType>() : *known;
    for (const ArgType& type : types) all.push_back(type.dtype);
    info.attrs.set(attr, std::move(all));
  };
  change(*node, [&](NodeInfo& info) {
    info.inputs.insert(info.inputs.end(), taken.begin(), taken.end());
    info.outputs.insert(info.outputs.end(), yielded.begin(), yielded.end());
    add_types(info, repeats ? "T" : "Tout", yielded);
    if (!repeats && !taken.empty()) add_types(info, "Tin", taken);
    if (const auto* known = info.attrs.get<std::vector<PartialShape>>("output_shapes"); known && !known->empty()) {
      std::vector<PartialShape> shapes = *known;
      shapes.insert(shapes.end(), longer.shapes.begin(), longer.shapes.end());
      info.attrs.set("output_shapes", std::move(shapes));
    }
    for (const auto& [attr, functions] : longer.functions) {
      std::vector<FuncRef> named;
      for (const std::string& function : functions) named.push_back({function, {}});
      const bool is_list = info.attrs.get<std::vector<FuncRef>>(attr) != nullptr;
      info.attrs.set(attr, is_list ? AttrValue(std::move(named)) : AttrValue(named.at(0)));
    }
  });
  node->inputs.insert(node->inputs.end(), longer.inputs.begin(), longer.inputs.end());
  node->output_shapes.insert(node->output_shapes.end(), longer.shapes.begin(), longer.shapes.end());
  if (!node->output_handles.empty()) node->output_handles.resize(node->info->outputs.size());
  return Status();
}

Tensor Graph::constant_value(Endpoint endpoint) {
  std::lock_guard lock(mutex_);
  const Tensor* value = tinytf::constant_value(endpoint);
  return value ? *value : Tensor();
}

PartialShape Graph::constant_value_as_shape(Endpoint endpoint) {
  std::lock_guard lock(mutex_);
  return tinytf::constant_value_as_shape(endpoint);
}

Status Graph::Addition::add_functions(const FunctionLibrary& functions) {
  if (functions.empty()) return Status();
  functions_before_ = std::make_unique<FunctionLibrary>(graph_.functions_);
  instances_before_ = graph_.instances_;
  return graph_.functions_.add(functions);
}

Graph::Addition::~Addition() {
  if (kept_) return;
  for (size_t i = before_; i < graph_.nodes_.size(); ++i) graph_.by_name_.erase(graph_.nodes_[i]->name());
  graph_.nodes_.resize(before_);
  graph_.unknown_ops_.resize(unknown_before_);
  graph_.last_id_with_device_ = device_before_;
  graph_.ops_of_ = ops_of_before_;
  if (functions_before_ == nullptr) return;
  graph_.functions_ = std::move(*functions_before_);
  graph_.instances_ = std::move(instances_before_);
}

}  // namespace tinytf
