#include "graph/passes/find_guards.h"

#include <utility>

#include "graph/passes/branch_merges.h"
#include "graph/passes/regions.h"
#include "graph/passes/switch_predicates.h"

namespace tinytf {

namespace {

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

  Result<Guards> run(Misfit* misfit) {
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      const SubgraphNode& node = subgraph_.nodes[i];
      if (!node.runs() || find(static_cast<int>(i), node)) continue;
      if (misfit != nullptr) {
        misfit->node = static_cast<int>(i);
        misfit->frame = node.control_flow() == ControlFlow::kEnter ? frames_.of_outputs[i] : -1;
        misfit->guards = std::move(found_);
      }
      return unimplemented("{{node ", node.info->name, "}} ", why_not(node.control_flow()));
    }
    return std::move(found_);
  }

 private:
  static const char* why_not(ControlFlow kind) {
    switch (kind) {
      case ControlFlow::kEnter: return "enters a loop under a different condition than the other variables of the loop";
      default: return "merges values that are not the two branches of one predicate";
    }
  }

  bool find(int index, const SubgraphNode& node) {
    const ControlFlow kind = node.control_flow();
    if (kind == ControlFlow::kTrigger) return true;  // A trigger runs whether its inputs are dead or not.
    if (kind == ControlFlow::kMerge) {
      if (is_loop_variable_[index]) {
        found_.of[index] = guard_of_inputs(node) == GuardTable::kNever ? GuardTable::kNever : 0;
      } else if (!find_branch_merge(subgraph_, index, found_)) {
        return false;
      }
      found_.of_outputs[index] = found_.of[index];
      return true;
    }
    const int guard = node.region != nullptr ? guard_of_region(node) : guard_of_inputs(node);
    found_.of[index] = found_.of_outputs[index] = guard;
    if (kind == ControlFlow::kEnter) return enter(index, guard);
    if (guard == GuardTable::kNever) return true;
    if (kind == ControlFlow::kExit) found_.of_outputs[index] = found_.of_frames[frames_.of[index]];
    if (kind == ControlFlow::kSwitch)
      found_.switches[index] = find_switch_predicate(subgraph_, frames_, node.inputs[1], found_);
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

  int guard_of_region(const SubgraphNode& node) {
    const Region& region = *node.region;
    int guard = GuardTable::kNever;
    const auto add = [&](int other) { guard = found_.table.common(guard, other); };
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      if (region.input_decides[k]) add(found_.of_output(subgraph_, node.inputs[k]));
    }
    for (size_t k = 0; k < node.control_inputs.size(); ++k) {
      if (region.control_decides[k]) add(found_.of_outputs[node.control_inputs[k]]);
    }
    return region.has_roots ? 0 : guard;
  }

  /// All variables of a loop are entered under the same guard. Loop-invariant Enters are checked by find_loops.
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

  const Subgraph& subgraph_;
  const Frames& frames_;
  std::vector<bool> is_loop_variable_;
  std::vector<bool> is_never_entered_;  // By frame.
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

Result<Guards> find_guards(const Subgraph& subgraph, const Frames& frames, Misfit* misfit) {
  return GuardFinder(subgraph, frames).run(misfit);
}

}  // namespace tinytf
