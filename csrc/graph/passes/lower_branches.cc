#include <utility>

#include "graph/passes/inliner.h"
#include "op/lowered.h"

namespace tinytf {

namespace {

AttrMap of_type(DType type) {
  AttrMap attrs;
  attrs.set("T", type);
  return attrs;
}

}  // namespace

Result<Inliner::Input> Inliner::truth_of(const SubgraphNode& node, Input value) {
  if (is_lowered(*node.info)) {
    if (type_of(value) == DType::kBool) return value;
    const bool repeats = node.info->op->has(Trait::kRepeats);
    return invalid_argument("Input '", repeats ? "input" : "pred", "' passed ", dtype_name(type_of(value)),
                            " expected bool while building NodeDef '", node.info->name,
                            repeats ? "/LoopCond' using Op<name=LoopCond; signature=input:bool -> output:bool>"
                                    : "/switch_pred' using Op<name=Switch; signature=data:T, pred:bool -> "
                                      "output_false:T, output_true:T; attr=T:type>")
        .at_node(node.info->name);
  }
  const SubgraphNode& source = nodes_[value.node];
  const Node* const described = source.described();
  const bool is_scalar = described != nullptr && described->output_shapes[value.output].rank() == 0;
  if (is_scalar && type_of(value) == DType::kBool) return value;
  return add_node(node, "ToBool", {DType::kBool}, {value}, node.control_inputs, of_type(type_of(value)));
}

Result<Inliner::Called> Inliner::choose(const SubgraphNode& node, Input predicate, const Way& if_true,
                                        const Way& if_false) {
  const auto attrs = [] { return of_type(DType::kBool); };
  const auto add_switch = [&](Input data, std::vector<int> controls) {
    const DType type = type_of(data);
    return add_node(node, "Switch", {type, type}, {data, predicate}, std::move(controls), of_type(type)).node;
  };
  const int decided = add_switch(predicate, node.control_inputs);
  std::vector<int> switches;
  for (const Input& input : node.inputs) switches.push_back(add_switch(input, {}));
  Input here[2];
  Called ways[2];
  for (const int side : {0, 1}) {
    here[side] = add_node(node, "Identity", {DType::kBool}, {{decided, side}}, {}, attrs());
    std::vector<Input> inputs;
    for (const int one : switches) inputs.push_back({one, side});
    const Way& way = side == 1 ? if_true : if_false;
    TINYTF_ASSIGN_OR_RETURN(ways[side], way(given(node, std::move(inputs), {here[side].node})));
  }
  const auto merge = [&](Input one, Input other) {
    const DType type = type_of(one);
    AttrMap both = of_type(type);
    both.set("N", int64_t{2});
    return add_node(node, "Merge", {type, DType::kInt32}, {one, other}, {}, std::move(both));
  };
  Called called;
  for (size_t i = 0; i < ways[0].results.size(); ++i) {
    called.results.push_back(merge(ways[0].results[i], ways[1].results[i]));
  }
  if (called.results.empty() || !ways[0].effects.empty() || !ways[1].effects.empty()) {
    Input done[2];
    for (const int side : {0, 1}) {
      done[side] = add_node(node, "Identity", {DType::kBool}, {here[side]}, std::move(ways[side].effects), attrs());
    }
    called.effects.push_back(merge(done[0], done[1]).node);
  }
  return called;
}

std::optional<Inliner::KnownBranch> Inliner::known_branch(const SubgraphNode& node, size_t count) {
  if (!cuts_branches_) return std::nullopt;
  if (node.info->attrs.get<std::vector<FuncRef>>("branches") == nullptr) {
    const auto holds = predicates_.value_of(node.inputs[0]);
    if (!holds) return std::nullopt;
    return *holds ? KnownBranch{1, "/then"} : KnownBranch{0, "/else"};
  }
  const auto index = predicates_.index_of(node.inputs[0]);
  if (!index) return std::nullopt;
  const size_t number = *index < 0 || static_cast<size_t>(*index) >= count ? count - 1 : static_cast<size_t>(*index);
  return KnownBranch{number, str_cat("/", number)};
}

/// The branch is put into the iteration or enclosing branch in which the deciding value is live.
Result<Inliner::Called> Inliner::add_known(const SubgraphNode& node, const KnownBranch& branch,
                                           const FunctionBody& body) {
  std::vector<int> controls = node.control_inputs;
  if (has_control_flow_ || !around_.empty()) {
    const DType type = type_of(node.inputs[0]);
    controls.push_back(add_node(node, "Identity", {type}, {node.inputs[0]}, {}, of_type(type)).node);
  }
  return add_body(named(given(node, {node.inputs.begin() + 1, node.inputs.end()}, std::move(controls)), branch.part),
                  body, branch.number);
}

Inliner::Input Inliner::number_beside(const SubgraphNode& node, size_t value) {
  AttrMap number;
  number.set("dtype", DType::kInt32);
  number.set("value", Tensor::scalar(static_cast<int32_t>(value)));
  return add_node(node, "Const", {DType::kInt32}, {}, {node.inputs[0].node}, std::move(number));
}

Result<Inliner::Called> Inliner::choose_branch(const SubgraphNode& node, const Bodies& branches, size_t first) {
  const auto add_branch = [&](const SubgraphNode& caller) {
    const SubgraphNode call = given(caller, {caller.inputs.begin() + 1, caller.inputs.end()}, caller.control_inputs);
    return add_part(named(call, str_cat("/", first)), *branches[first], first);
  };
  if (first + 1 == branches.size()) return add_branch(node);
  AttrMap comparing = of_type(DType::kInt32);
  comparing.set("incompatible_shape_error", true);
  const Input is_first = add_node(node, "Equal", {DType::kBool}, {node.inputs[0], number_beside(node, first)},
                                  node.control_inputs, std::move(comparing));
  return choose(node, is_first, add_branch,
                [&](const SubgraphNode& caller) { return choose_branch(caller, branches, first + 1); });
}

}  // namespace tinytf
