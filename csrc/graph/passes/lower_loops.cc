#include <algorithm>
#include <utility>

#include "graph/passes/inliner.h"

namespace tinytf {

namespace {

/// Whether each iteration passes the variable on unchanged. The caller holds the lock of the body's graph.
bool is_unchanged(const FunctionBody& body, size_t variable) {
  Endpoint result = body.results[variable];
  while (!(result == body.arguments[variable])) {
    const NodeInfo& info = *result.node->info;
    if (!info.op->has(Trait::kPassesValue) || info.inputs[0].is_ref || info.inputs[0].dtype != info.outputs[0].dtype) {
      return false;
    }
    if (std::find(body.arguments.begin(), body.arguments.end(), result) != body.arguments.end()) return false;
    result = result.node->inputs[0];
  }
  return true;
}

}  // namespace

/// Lowers a While node to the control flow ops that graph loops consist of, so that both are compiled alike.
Result<Inliner::Called> Inliner::add_loop(const SubgraphNode& node, const FunctionBody& cond,
                                          const FunctionBody& body) {
  const size_t count = node.inputs.size();
  const auto of_type = [](DType type) {
    AttrMap attrs;
    attrs.set("T", type);
    return attrs;
  };
  const auto pass = [&](const char* op, Input input, std::vector<int> controls = {}) {
    const DType type = type_of(input);
    return add_node(node, op, {type}, {input}, std::move(controls), of_type(type));
  };
  const auto* at_once = node.info->attrs.get<int64_t>("parallel_iterations");
  std::vector<Input> merged;
  for (const Input& input : node.inputs) {
    const DType type = type_of(input);
    AttrMap entering = of_type(type);
    entering.set("frame_name", node.info->name);
    entering.set("is_constant", false);
    entering.set("parallel_iterations", at_once == nullptr ? int64_t{10} : *at_once);
    const Input entered = add_node(node, "Enter", {type}, {input}, node.control_inputs, std::move(entering));
    AttrMap merging = of_type(type);
    merging.set("N", int64_t{2});
    merged.push_back(add_node(node, "Merge", {type, DType::kInt32}, {entered}, {}, std::move(merging)));
    auto whole = std::make_shared<NodeInfo>(*nodes_.back().info);
    whole->inputs.push_back({type, false});  // From the previous iteration.
    nodes_.back().info = std::move(whole);
    const auto lock = body.graph->lock();
    if (is_unchanged(body, merged.size() - 1)) predicates_.note_unchanged(last());
  }
  TINYTF_ASSIGN_OR_RETURN(Called condition, add_part(named(given(node, merged, {merged[0].node}), "/cond"), cond));
  TINYTF_ASSIGN_OR_RETURN(const Input goes_on, truth_of(given(node, {}, {}), condition.results[0]));
  const Input holds = add_node(node, "LoopCond", {DType::kBool}, {goes_on}, std::move(condition.effects));
  std::vector<Input> inside, left;
  for (const Input& variable : merged) {
    const DType type = type_of(variable);
    const Input switched = add_node(node, "Switch", {type, type}, {variable, holds}, {}, of_type(type));
    left.push_back(switched);
    inside.push_back({switched.node, 1});
  }
  const Input pivot = pass("Identity", inside[0]);
  TINYTF_ASSIGN_OR_RETURN(Called done, add_part(named(given(node, std::move(inside), {pivot.node}), "/body"), body));
  for (size_t i = 0; i < count; ++i) {
    const Input next = pass("NextIteration", done.results[i], done.effects);
    back_edges_.push_back({merged[i].node, 1, next});
  }
  Called called;
  for (const Input& variable : left) called.results.push_back(pass("Exit", variable));
  return called;
}

}  // namespace tinytf
