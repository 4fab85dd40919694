#include "graph/passes/guards.h"

#include <algorithm>
#include <utility>

#include "graph/constant_value.h"

namespace tinytf {

namespace {

/// A value that a step has from its beginning; null if it has none.
const Tensor* known_value(const SubgraphNode& node, int output) {
  if (node.removed || node.fed(output) || !node.control_inputs.empty()) return nullptr;
  if (!node.values) return attr_value(*node.info);
  return node.values->empty() ? nullptr : &(*node.values)[static_cast<size_t>(output)];
}

template <class T>
std::optional<T> known_scalar(const SubgraphNode& node, int output) {
  const Tensor* const value = known_value(node, output);
  if (value == nullptr || value->dtype() != dtype_of<T> || value->rank() != 0) return std::nullopt;
  return *value->data<T>();
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
    found_.switches.resize(subgraph.nodes.size());
    is_never_entered_.assign(frames.all.size(), false);
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
      case ControlFlow::kEnter: return "enters a loop under another condition than its other variables";
      default: return "joins what no single predicate decides between";
    }
  }

  bool find(int index, const SubgraphNode& node) {
    const ControlFlow kind = node.control_flow();
    if (kind == ControlFlow::kTrigger) return true;  // it runs in any case, though it waits for what may not
    if (kind == ControlFlow::kMerge) {
      if (is_loop_variable_[index]) {
        found_.of[index] = guard_of_inputs(node) == GuardTable::kNever ? GuardTable::kNever : 0;
      } else if (!find_merge(index, node)) {
        return false;
      }
      found_.of_outputs[index] = found_.of[index];
      return true;
    }
    const int guard = guard_of_inputs(node);
    found_.of[index] = found_.of_outputs[index] = guard;
    if (kind == ControlFlow::kEnter) return enter(index, guard);
    if (guard == GuardTable::kNever) return true;
    if (kind == ControlFlow::kExit) found_.of_outputs[index] = found_.of_frames[frames_.of[index]];
    if (kind == ControlFlow::kSwitch) found_.switches[index] = predicate_of(node.inputs[1]);
    return true;
  }

  int guard_of_inputs(const SubgraphNode& node) {
    int guard = 0;
    if (!node.values) {
      for (const auto& input : node.inputs) guard = found_.table.both(guard, found_.of_output(subgraph_, input));
    }
    for (const int control : node.control_inputs) guard = found_.table.both(guard, found_.of_outputs[control]);
    return guard;
  }

  SwitchPredicate predicate_of(const SubgraphNode::Input& asked) {
    SwitchPredicate found;
    found.predicate = behind_identities(subgraph_, asked);
    const SubgraphNode& node = subgraph_.nodes[found.predicate.node];
    if (const auto holds = known_scalar<bool>(node, found.predicate.output); holds && node.values) {
      if (!found_.known[*holds]) found_.known[*holds] = found.predicate;
      found.predicate = *found_.known[*holds];
      return found;
    }
    if (node.values || node.fed(found.predicate.output)) return found;
    if (node.info->op->name == "Equal") return number_of_input(found, node);
    if (node.control_flow() == ControlFlow::kEnter) found.known = known_in_frame(found.predicate);
    return found;
  }

  /// Of whether a number is that of the input that a Merge has taken.
  SwitchPredicate number_of_input(SwitchPredicate found, const SubgraphNode& equal) const {
    for (const int side : {0, 1}) {
      const SubgraphNode::Input &number = equal.inputs[side], &other = equal.inputs[1 - side];
      const auto wanted = known_scalar<int32_t>(subgraph_.nodes[other.node], other.output);
      const SubgraphNode& node = subgraph_.nodes[number.node];
      if (!wanted || node.fed(number.output) || node.control_flow() != ControlFlow::kMerge || number.output != 1) {
        continue;
      }
      const BranchMerge& merge = found_.merges[number.node];
      if (merge.only >= 0) {
        found.known = *wanted == merge.only;
      } else if (merge.predicate.node >= 0 && (*wanted == 0 || *wanted == 1)) {
        found.predicate = merge.predicate;
        found.is_negated = *wanted != merge.if_true;
      }
      return found;
    }
    return found;
  }

  /// Of a predicate from outside of a loop: what it must be for the loop to be entered.
  std::optional<bool> known_in_frame(SubgraphNode::Input predicate) {
    for (;;) {
      const SubgraphNode& enter = subgraph_.nodes[predicate.node];
      if (enter.values || enter.fed(predicate.output) || enter.control_flow() != ControlFlow::kEnter)
        return std::nullopt;
      if (!is_constant_enter(enter)) return std::nullopt;
      const int entered = found_.of_frames[frames_.of_outputs[predicate.node]];
      predicate = behind_identities(subgraph_, enter.inputs[0]);
      if (entered == GuardTable::kNever) return std::nullopt;
      for (const bool value : {false, true}) {
        if (found_.table.implied_by(found_.table.with(0, {predicate, value, -1}), entered)) return value;
      }
    }
  }

  /// Loops are entered by all variables, or by none. Constants are checked where loops are found.
  bool enter(int index, int guard) {
    const int frame = frames_.of_outputs[index];
    found_.of_outputs[index] = guard == GuardTable::kNever ? GuardTable::kNever : 0;
    if (is_constant_enter(subgraph_.nodes[index])) return true;
    int& of_frame = found_.of_frames[frame];
    if (guard == GuardTable::kNever) {
      is_never_entered_[frame] = true;
    } else if (of_frame == GuardTable::kNever) {
      of_frame = guard;
    }
    return of_frame == guard && !(guard != GuardTable::kNever && is_never_entered_[frame]);
  }

  bool find_merge(int index, const SubgraphNode& node) {
    if (const std::optional<int> only = only_input(node)) {
      found_.of[index] = *only < 0 ? GuardTable::kNever : found_.of_output(subgraph_, node.inputs[*only]);
      found_.merges[index].only = *only;
      return true;
    }
    if (node.inputs.size() != 2) return false;
    const int arms[2] = {found_.of_output(subgraph_, node.inputs[0]), found_.of_output(subgraph_, node.inputs[1])};
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

  /// The one that is there first, or that is there at all if the others never are; -1 if none is.
  std::optional<int> only_input(const SubgraphNode& node) {
    int live = 0, last = -1;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const SubgraphNode::Input& input = node.inputs[i];
      if (known_value(subgraph_.nodes[input.node], input.output) != nullptr) return static_cast<int>(i);
      if (found_.of_output(subgraph_, input) == GuardTable::kNever) continue;
      ++live;
      last = static_cast<int>(i);
    }
    const bool is_one = live == 0 || (live == 1 && node.inputs.size() > 1);
    return is_one ? std::optional(last) : std::nullopt;
  }

  const Subgraph& subgraph_;
  const Frames& frames_;
  std::vector<bool> is_loop_variable_;
  std::vector<bool> is_never_entered_;  // by frame
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

bool passes_switched_value(const Subgraph& subgraph, const SubgraphNode& node) {
  if (node.values || !node.info->op->has(Trait::kPassesValue) || node.info->inputs[0].is_ref) return false;
  if (node.info->inputs[0].dtype != node.info->outputs[0].dtype || !node.feeds.empty()) return false;
  const SubgraphNode& source = subgraph.nodes[node.inputs[0].node];
  return !source.fed(node.inputs[0].output) && source.control_flow() == ControlFlow::kSwitch;
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
  if (guard == kNever) return kNever;
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
  if (a == kNever || b == kNever) return kNever;
  if (a == b || b == 0 || implied_by(b, a)) return a;
  if (a == 0 || implied_by(a, b)) return b;
  for (const Literal& literal : (*this)[b]) {
    a = with(a, literal);
    if (a == kNever) return kNever;
  }
  return a;
}

bool GuardTable::implied_by(int guard, int other) const {
  if (guard == kNever || other == kNever) return other == kNever;
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
  const SwitchPredicate& asked = switches[output.node];
  const bool value = output.output == 1;
  if (asked.known) return *asked.known == value ? guard : GuardTable::kNever;
  return table.with(guard, {asked.predicate, value != asked.is_negated, output.node});
}

Result<Guards> find_guards(const Subgraph& subgraph, const Frames& frames) {
  return GuardFinder(subgraph, frames).run();
}

}  // namespace tinytf
