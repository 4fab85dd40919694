#include "graph/passes/loops.h"

#include <algorithm>
#include <utility>

#include "graph/passes/value_origins.h"

namespace tinytf {

namespace {

class LoopFinder {
 public:
  LoopFinder(const Subgraph& subgraph, const Frames& frames, Guards& guards, Misfit* where)
      : subgraph_(subgraph),
        where_(where),
        frames_(frames),
        guards_(guards),
        loops_(frames.all.size()),
        conditions_(frames.all.size(), -1),
        is_variable_(subgraph.nodes.size()),
        is_at_end_(subgraph.nodes.size()),
        is_empty_(frames.all.size(), true) {}

  Result<std::vector<Loop>> run() {
    (void)for_nodes([&](int index, const SubgraphNode&) {
      is_empty_[frames_.of[index]] = is_empty_[frames_.of_outputs[index]] = false;
      return true;
    });
    if (!find_conditions())
      return unfit("is a LoopCond that is not the only one of its loop, or that may not run in every iteration");
    if (!find_variables())
      return unfit("is a Merge that does not join one Enter with one NextIteration as a loop variable");
    for (size_t f = 1; f < frames_.all.size(); ++f) {
      if (frame_has_guard(f) || is_empty_[f]) continue;
      if (where_ != nullptr) where_->frame = static_cast<int>(f);
      return unimplemented("Loop ", frames_.all[f].name, " has no condition or no variables, or is never entered");
    }
    if (!place_triggers())
      return unfit("has a control input from a ControlTrigger of the loop body, but may run outside of the body");
    if (!all_nodes_fit())
      return unfit("does not fit in a loop with one condition and with variables that leave the loop when it is false");
    return std::move(loops_);
  }

 private:
  Status unfit(const char* what) const {
    if (where_ != nullptr) {
      where_->node = misfit_;
      const bool enters = subgraph_.nodes[misfit_].control_flow() == ControlFlow::kEnter;
      const int frame = (enters ? frames_.of_outputs : frames_.of)[misfit_];
      if (frame > 0) where_->frame = frame;
    }
    return unimplemented("{{node ", subgraph_.nodes[misfit_].info->name, "}} ", what);
  }

  template <class Visit>
  bool for_nodes(Visit visit) {
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      const SubgraphNode& node = subgraph_.nodes[i];
      if (!node.runs()) continue;
      misfit_ = static_cast<int>(i);
      if (!visit(misfit_, node)) return false;
    }
    return true;
  }

  bool find_conditions() {
    return for_nodes([&](int index, const SubgraphNode& node) {
      if (node.control_flow() != ControlFlow::kLoopCond || frames_.of[index] == 0) return true;
      int& condition = conditions_[frames_.of[index]];
      if (std::exchange(condition, index) >= 0) return false;
      loops_[frames_.of[index]].condition = {{index, 0}, true, -1};
      return guards_.of[index] == 0;
    });
  }

  bool find_variables() {
    for (const BackEdge& edge : subgraph_.back_edges) {
      const SubgraphNode& merge = subgraph_.nodes[edge.merge];
      const SubgraphNode& next = subgraph_.nodes[edge.from.node];
      misfit_ = edge.merge;
      if (is_variable_[edge.merge]) return false;
      is_variable_[edge.merge] = true;
      if (edge.position != 1 || merge.inputs.size() != 1 || !merge.control_inputs.empty()) return false;
      const int enter = merge.inputs[0].node;
      if (subgraph_.nodes[enter].control_flow() != ControlFlow::kEnter || is_constant_enter(subgraph_.nodes[enter])) {
        return false;
      }
      if (next.fed(0) || merge.fed(0) || subgraph_.nodes[enter].fed(0)) return false;
      is_at_end_[enter] = is_at_end_[edge.from.node] = true;
      loops_[frames_.of[edge.merge]].variables.push_back({enter, edge.merge, next.inputs[0]});
    }
    return true;
  }

  bool frame_has_guard(size_t f) const {
    return guards_.of_frames[f] != GuardTable::kNever && conditions_[f] >= 0 && !loops_[f].variables.empty();
  }

  /// The guard of the loop's body, or (`value` false) of leaving the loop.
  int in_body(int frame, bool value = true) {
    Literal literal = loops_[frame].condition;
    literal.value = value;
    return guards_.table.with(0, literal);
  }

  /// Moves triggers that wait for a node in a loop's body into the body, provided that only nodes of the body wait for
  /// them: in the last iteration they have no effect.
  bool place_triggers() {
    std::vector<bool> is_placed(subgraph_.nodes.size());
    return for_nodes([&](int index, const SubgraphNode& node) {
      const int frame = frames_.of[index];
      if (frame == 0) return true;
      const int body = in_body(frame);
      const auto& controls = node.control_inputs;
      if (node.control_flow() == ControlFlow::kTrigger) {
        if (std::any_of(controls.begin(), controls.end(), [&](int source) {
              return subgraph_.nodes[source].runs() && guards_.table.implied_by(body, guards_.of_outputs[source]);
            })) {
          guards_.of[index] = guards_.of_outputs[index] = body;
          is_placed[index] = true;
        }
        return true;
      }
      return guards_.table.implied_by(body, guards_.of[index]) ||
             std::none_of(controls.begin(), controls.end(), [&](int source) { return is_placed[source]; });
    });
  }

  bool all_nodes_fit() {
    return for_nodes([&](int index, const SubgraphNode& node) {
      const int frame = frames_.of[index];
      if (!inputs_fit(node) || !region_fits(index)) return false;
      switch (node.control_flow()) {
        case ControlFlow::kEnter: return enter_fits(index);
        case ControlFlow::kExit: {
          const auto& input = node.inputs[0];
          const SubgraphNode& source = subgraph_.nodes[input.node];
          if (source.fed(input.output) || guards_.of[index] != in_body(frame, false)) return false;
          return is_last_value(input) || passes_last_value(source);
        }
        case ControlFlow::kNextIteration: return guards_.of[index] == in_body(frame) && is_at_end_[index];
        case ControlFlow::kSwitch: return switch_fits(index, frame);
        default:  // No other computation may run when the loop is left.
          return frame == 0 || !guards_.table.implied_by(in_body(frame, false), guards_.of[index]) ||
                 passes_last_value(node);
      }
    });
  }

  /// Whether the input is the final value of a loop variable.
  bool is_last_value(const SubgraphNode::Input& input) const {
    const SubgraphNode& source = subgraph_.nodes[input.node];
    return !source.fed(input.output) && source.control_flow() == ControlFlow::kSwitch && input.output == 0 &&
           is_variable_[source.inputs[0].node];
  }

  /// Whether the node copies the final value of a variable, as gated gradients do.
  bool passes_last_value(const SubgraphNode& node) const {
    return passes_switched_value(subgraph_, node) && is_last_value(node.inputs[0]);
  }

  /// Whether no index output of a loop's Merge is used, and only Merges use the outputs of a NextIteration.
  bool inputs_fit(const SubgraphNode& node) const {
    const auto goes_on = [this](int source) {
      return subgraph_.nodes[source].control_flow() == ControlFlow::kNextIteration;
    };
    if (std::any_of(node.control_inputs.begin(), node.control_inputs.end(), goes_on)) return false;
    return node.values || std::none_of(node.inputs.begin(), node.inputs.end(), [&](const auto& input) {
             return (is_variable_[input.node] && input.output == 1) || goes_on(input.node);
           });
  }

  /// Whether a region that reads values of a loop's body runs in the body only.
  bool region_fits(int index) {
    const SubgraphNode& node = subgraph_.nodes[index];
    const int frame = frames_.of[index];
    if (node.region == nullptr || frame == 0) return true;
    const auto is_in_body = [&](int guard) { return guards_.table.implied_by(in_body(frame), guard); };
    if (is_in_body(guards_.of[index])) return true;
    return std::none_of(node.inputs.begin(), node.inputs.end(),
                        [&](const auto& input) { return is_in_body(guards_.of_output(subgraph_, input)); }) &&
           std::none_of(node.control_inputs.begin(), node.control_inputs.end(),
                        [&](int source) { return is_in_body(guards_.of_outputs[source]); });
  }

  bool enter_fits(int index) {
    const int frame = frames_.of_outputs[index];
    if (!is_constant_enter(subgraph_.nodes[index])) return is_at_end_[index];
    return guards_.table.implied_by(guards_.of[index], guards_.of_frames[frame]);
  }

  /// Whether a Switch on the loop's condition switches a variable directly.
  bool switch_fits(int index, int frame) const {
    if (frame == 0) return true;
    const SubgraphNode& node = subgraph_.nodes[index];
    const SubgraphNode::Input predicate = behind_identities(subgraph_, node.inputs[1]);
    if (predicate.node != loops_[frame].condition.predicate.node) return true;
    return is_variable_[node.inputs[0].node];
  }

  const Subgraph& subgraph_;
  Misfit* const where_;  // May be null.
  const Frames& frames_;
  Guards& guards_;
  std::vector<Loop> loops_;
  std::vector<int> conditions_;    // By frame.
  std::vector<bool> is_variable_;  // By node: a Merge with a back edge.
  std::vector<bool> is_at_end_;    // By node: the Enter or NextIteration of a variable.
  std::vector<bool> is_empty_;     // By frame: no node runs in it.
  int misfit_ = 0;                 // The node being examined.
};

}  // namespace

std::vector<bool> loop_variables(const ControlStructure& control) {
  std::vector<bool> is_variable(control.subgraph.nodes.size());
  for (const Loop& loop : control.loops) {
    for (const LoopVariable& variable : loop.variables) is_variable[variable.merge] = true;
  }
  return is_variable;
}

Result<std::vector<Loop>> find_loops(const Subgraph& subgraph, const Frames& frames, Guards& guards, Misfit* misfit) {
  return LoopFinder(subgraph, frames, guards, misfit).run();
}

}  // namespace tinytf
