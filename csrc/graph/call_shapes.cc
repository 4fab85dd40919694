#include "graph/call_shapes.h"

#include <map>
#include <unordered_map>
#include <unordered_set>

#include "graph/attr_proto.h"
#include "graph/constant_value.h"
#include "graph/graph.h"

namespace tinytf {

namespace {

class CallShapes {
 public:
  CallShapes(const FunctionBody& body, const std::vector<PartialShape>& arguments) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      const Endpoint e = body.arguments[i];
      set(e, arguments[i]);
      given_.insert(key_of(e));
    }
    for (const Endpoint& e : body.results) need(e);
    while (!pending_.empty()) {
      const Node* node = pending_.back();
      pending_.pop_back();
      for (const Endpoint& e : node->inputs) need(e);
    }
    for (const auto& [id, node] : nodes_) infer(*node);
  }

  PartialShape shape(Endpoint e) const {
    const auto found = shapes_.find(key_of(e));
    return found == shapes_.end() ? e.node->output_shapes[e.index] : found->second;
  }

 private:
  void need(Endpoint e) {
    if (given_.count(key_of(e)) == 0 && nodes_.emplace(e.node->id, e.node).second) pending_.push_back(e.node);
  }

  /// Records a shape. An incompatible shape is ignored: running the function reports the error.
  void set(Endpoint e, const PartialShape& shape) {
    const auto merged = e.node->output_shapes[e.index].merge(shape);
    if (merged.ok()) shapes_[key_of(e)] = merged.value();
  }

  void infer(const Node& node) {
    const OpDef& op = *node.info->op;
    if (op.shape_fn == nullptr || node.was_changed || op.control_flow != ControlFlow::kNone || op.calls_functions()) {
      return;
    }
    bool is_new = false;
    std::vector<PartialShape> inputs;
    std::vector<const HandleInfo*> handles;
    for (const Endpoint& e : node.inputs) {
      is_new |= shapes_.count(key_of(e)) != 0;
      inputs.push_back(shape(e));
      const auto& known = e.node->output_handles;
      handles.push_back(known.empty() || !known[e.index] ? nullptr : &*known[e.index]);
    }
    if (!is_new) return;
    NodeConstants constants(node);
    ShapeContext context(*node.info, std::move(inputs), std::move(handles), &constants);
    if (!op.shape_fn(context).ok() || !constants.status().ok()) return;
    for (int i = 0; i < node.num_outputs(); ++i) set({const_cast<Node*>(&node), i}, context.output(i));
  }

  std::map<int, const Node*> nodes_;  // By id, so producers come before consumers.
  std::vector<const Node*> pending_;
  std::unordered_set<int64_t> given_;
  std::unordered_map<int64_t, PartialShape> shapes_;  // Overrides of the graph's shapes.
};

}  // namespace

std::optional<FuncRef> called_function(const NodeInfo& node) {
  if (node.op->has(Trait::kCallsFunction)) return *node.attrs.get<FuncRef>("f");
  if (!node.op->has(Trait::kFunction)) return std::nullopt;
  FuncRef function{node.op->name, {}};
  for (const AttrDef& attr : node.op->attrs) {
    std::string value;
    WireWriter to(&value);
    if (write_attr(to, *node.attrs.find(attr.name)).ok()) function.attrs.emplace_back(attr.name, std::move(value));
  }
  return function;
}

Result<std::vector<PartialShape>> result_shapes(const FunctionBody& body, const std::vector<PartialShape>& arguments) {
  if (arguments.size() != body.arguments.size()) {
    return invalid_argument("The function has ", body.arguments.size(), " arguments, not ", arguments.size());
  }
  const auto lock = body.graph->lock();
  const CallShapes shapes(body, arguments);
  std::vector<PartialShape> results;
  for (const Endpoint& e : body.results) results.push_back(shapes.shape(e));
  return results;
}

}  // namespace tinytf
