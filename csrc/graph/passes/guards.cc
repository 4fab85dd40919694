#include "graph/passes/guards.h"

#include <algorithm>
#include <utility>

namespace tinytf {

namespace {

/// What is known of a condition that a step has from its beginning.
std::optional<bool> known_condition(const SubgraphNode& node, int output) {
  if (node.fed(output) || !node.values || node.values->empty() || !node.control_inputs.empty()) return std::nullopt;
  const Tensor& value = (*node.values)[static_cast<size_t>(output)];
  if (value.dtype() != DType::kBool || value.rank() != 0) return std::nullopt;
  return *value.data<bool>();
}

bool comes_before(const Literal& a, const Literal& b) {
  return std::tie(a.predicate.node, a.predicate.output) < std::tie(b.predicate.node, b.predicate.output);
}

class GuardFinder {
 public:
  GuardFinder(const Subgraph& subgraph, const Frames& frames)
      : subgraph_(subgraph), frames_(frames), is_loop_variable_(subgraph.nodes.size()) {
    found_.of.assign(subgraph.nodes.size(), 0);
    found_.of_outputs.assign(subgraph.nodes.size(), 0);
    found_.of_frames.assign(frames.all.size(), GuardTable::kNever);
    found_.merges.resize(subgraph.nodes.size());
    for (const BackEdge& edge : subgraph.back_edges) is_loop_variable_[edge.merge] = true;
  }

  Result<Guards> run() {
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      const SubgraphNode& node = subgraph_.nodes[i];
      if (!node.runs() || find(static_cast<int>(i), node)) continue;
      return unimplemented("{{node ", node.info->name, "}} ", why_not(node.control_flow()));
    }
    return std::move(found_);
  }

 private:
  static const char* why_not(ControlFlow kind) {
    switch (kind) {
      case ControlFlow::kMerge: return "joins what no single predicate decides between";
      case ControlFlow::kEnter: return "enters a loop under another condition than its other variables";
      default: return "needs what both values of one predicate lead to";
    }
  }

  bool find(int index, const SubgraphNode& node) {
    const ControlFlow kind = node.control_flow();
    if (kind == ControlFlow::kTrigger) return true;  // it runs in any case, though it waits for what may not
    if (kind == ControlFlow::kMerge) {
      if (!is_loop_variable_[index] && !find_merge(index, node)) return false;
      found_.of_outputs[index] = found_.of[index];
      return true;
    }
    int guard = 0;
    if (!node.values) {
      for (const auto& input : node.inputs) guard = both(guard, found_.of_output(subgraph_, input));
    }
    for (const int control : node.control_inputs) guard = both(guard, found_.of_outputs[control]);
    if (guard == GuardTable::kNever) return false;
    found_.of[index] = found_.of_outputs[index] = guard;
    if (kind == ControlFlow::kExit) found_.of_outputs[index] = found_.of_frames[frames_.of[index]];
    if (kind == ControlFlow::kEnter) return enter(index, guard);
    return true;
  }

  int both(int a, int b) {
    return a == GuardTable::kNever || b == GuardTable::kNever ? GuardTable::kNever : found_.table.both(a, b);
  }

  /// Loops are entered by all variables, or by none. Constants are checked where loops are found.
  bool enter(int index, int guard) {
    found_.of_outputs[index] = 0;
    if (is_constant_enter(subgraph_.nodes[index])) return true;
    int& of_frame = found_.of_frames[frames_.of_outputs[index]];
    if (of_frame == GuardTable::kNever) of_frame = guard;
    return of_frame == guard;
  }

  bool find_merge(int index, const SubgraphNode& node) {
    if (node.inputs.size() != 2) return false;
    int arms[2];
    for (int i = 0; i < 2; ++i) {
      arms[i] = found_.of_output(subgraph_, node.inputs[i]);
      if (arms[i] == GuardTable::kNever) return false;
    }
    GuardTable& table = found_.table;
    if (table.size(arms[0]) != table.size(arms[1])) return false;
    std::optional<Literal> decides;
    std::vector<Literal> behind;  // the last comes first
    int guard = arms[0];
    for (int other = arms[1]; guard != other; guard = table.without_last(guard), other = table.without_last(other)) {
      const Literal &a = table.last(guard), &b = table.last(other);
      if (!a.same_predicate(b) || (a.value != b.value && decides)) return false;
      if (a.value == b.value) {
        behind.push_back(a);
      } else {
        decides = a;
      }
    }
    if (!decides) return false;
    for (auto literal = behind.rbegin(); literal != behind.rend(); ++literal) guard = table.with(guard, *literal);
    BranchMerge& merge = found_.merges[index];
    merge.predicate = decides->predicate;
    merge.if_true = decides->value ? 0 : 1;
    merge.by = decides->by;
    found_.of[index] = guard;
    return true;
  }

  const Subgraph& subgraph_;
  const Frames& frames_;
  std::vector<bool> is_loop_variable_;
  Guards found_;
};

}  // namespace

Result<std::vector<bool>> find_unconditional(const Subgraph& subgraph) {
  if (!has_control_flow(subgraph)) return std::vector<bool>(subgraph.nodes.size(), true);
  TINYTF_ASSIGN_OR_RETURN(const Frames frames, find_frames(subgraph));
  std::vector<bool> unconditional(subgraph.nodes.size());
  const Result<Guards> guards = find_guards(subgraph, frames);
  if (!guards.ok()) return unconditional;
  for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
    unconditional[i] = frames.of[i] == 0 && guards.value().of[i] == 0;
  }
  return unconditional;
}

SubgraphNode::Input behind_identities(const Subgraph& subgraph, SubgraphNode::Input input) {
  for (;;) {
    const SubgraphNode& node = subgraph.nodes[input.node];
    if (node.values || node.fed(input.output) || !node.info->op->has(Trait::kPassesValue)) return input;
    if (node.info->inputs[0].dtype != node.info->outputs[0].dtype) return input;
    const SubgraphNode& source = subgraph.nodes[node.inputs[0].node];
    if (!source.fed(node.inputs[0].output) && source.info->outputs[node.inputs[0].output].is_ref) return input;
    input = node.inputs[0];
  }
}

Guard GuardTable::operator[](int guard) const {
  Guard literals;
  literals.reserve(size(guard));
  for (; guard != 0; guard = without_last(guard)) literals.push_back(last(guard));
  std::reverse(literals.begin(), literals.end());
  return literals;
}

/// The literal comes after all of the guard.
int GuardTable::longer(int guard, const Literal& literal) {
  const int number = static_cast<int>(guards_.size());
  const auto [known, is_new] = longer_.try_emplace({guard, key_of(literal)}, number);
  if (is_new) guards_.push_back({guard, guard == 0 ? number : guards_[guard].first, size(guard) + 1, literal});
  return known->second;
}

int GuardTable::with(int guard, const Literal& literal) {
  int before = guard;
  while (before != 0 && comes_before(literal, last(before))) before = without_last(before);
  if (before != 0 && last(before).same_predicate(literal)) {
    return last(before).value == literal.value ? guard : kNever;
  }
  std::vector<Literal> behind;  // the last comes first
  for (int rest = guard; rest != before; rest = without_last(rest)) behind.push_back(last(rest));
  int all = longer(before, literal);
  for (auto one = behind.rbegin(); one != behind.rend(); ++one) all = longer(all, *one);
  return all;
}

int GuardTable::both(int a, int b) {
  if (a == b || b == 0 || implied_by(b, a)) return a;
  if (a == 0 || implied_by(a, b)) return b;
  for (const Literal& literal : (*this)[b]) {
    a = with(a, literal);
    if (a == kNever) return kNever;
  }
  return a;
}

bool GuardTable::implied_by(int guard, int other) const {
  while (guard != other) {
    if (size(guard) >= size(other)) return false;
    if (guard == 0) return true;
    const Literal &few = last(guard), &many = last(other);
    if (few.same_predicate(many)) {
      if (few.value != many.value) return false;
      guard = without_last(guard);
    } else if (comes_before(many, few)) {
      return false;
    }
    other = without_last(other);
  }
  return true;
}

int Guards::of_output(const Subgraph& subgraph, const SubgraphNode::Input& output) {
  const SubgraphNode& node = subgraph.nodes[output.node];
  if (node.fed(output.output)) return 0;
  const int guard = of_outputs[output.node];
  if (node.control_flow() != ControlFlow::kSwitch || guard == GuardTable::kNever) return guard;
  SubgraphNode::Input predicate = behind_identities(subgraph, node.inputs[1]);
  if (const auto holds = known_condition(subgraph.nodes[predicate.node], predicate.output)) {
    if (!known[*holds]) known[*holds] = predicate;
    predicate = *known[*holds];
  }
  return table.with(guard, {predicate, output.output == 1, output.node});
}

Result<Guards> find_guards(const Subgraph& subgraph, const Frames& frames) {
  return GuardFinder(subgraph, frames).run();
}

}  // namespace tinytf
