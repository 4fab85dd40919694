#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "graph/passes/frames.h"
#include "graph/passes/known_predicates.h"
#include "graph/passes/made_node.h"

namespace tinytf {

namespace {

using Input = SubgraphNode::Input;

/// Rebuilds the subgraph in order without nodes that cannot run. A node is dead if any of its inputs or control inputs
/// is; a Merge is dead if all of its inputs are.
class BranchCutter {
 public:
  BranchCutter(const Subgraph& subgraph, const Frames& frames)
      : subgraph_(subgraph),
        frames_(frames),
        predicates_(nodes_),
        places_(subgraph.nodes.size(), kDead),
        switches_(subgraph.nodes.size(), kUnknown),
        merged_(subgraph.nodes.size(), false),
        indices_(subgraph.nodes.size(), -1),
        is_loop_merge_(subgraph.nodes.size()),
        is_unchanged_(subgraph.nodes.size()),
        is_awaited_(subgraph.nodes.size()),
        reads_index_(subgraph.nodes.size()),
        dead_enters_(frames.all.size()),
        live_enters_(frames.all.size()) {
    for (const BackEdge& edge : subgraph.back_edges) is_loop_merge_[edge.merge] = true;
    for (const int merge : unchanged_variables(subgraph)) is_unchanged_[merge] = true;
    for (const int target : subgraph.targets) {
      if (target >= 0) is_awaited_[target] = true;
    }
    const auto read = [this](const Input& input) {
      if (input.output == 1) reads_index_[input.node] = true;
    };
    for (const SubgraphNode& node : subgraph.nodes) {
      if (node.removed) continue;
      std::for_each(node.inputs.begin(), node.inputs.end(), read);
      for (const int control : node.control_inputs) is_awaited_[control] = true;
    }
    std::for_each(subgraph.fetches.begin(), subgraph.fetches.end(), read);
    nodes_.reserve(subgraph.nodes.size());
  }

  /// Nullopt if the result would not be equivalent, as for a dead fetch, or for a loop that has both dead and live
  /// Enters.
  std::optional<Subgraph> run() {
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      if (!subgraph_.nodes[i].removed && !add(static_cast<int>(i), subgraph_.nodes[i])) return std::nullopt;
    }
    for (size_t f = 0; f < frames_.all.size(); ++f) {
      if (dead_enters_[f] && live_enters_[f]) return std::nullopt;
    }
    Subgraph cut;
    for (const BackEdge& edge : subgraph_.back_edges) {
      if (places_[edge.merge] == kDead) continue;
      if (is_dead(edge.from)) return std::nullopt;
      cut.back_edges.push_back({places_[edge.merge], edge.position, placed(edge.from)});
    }
    for (const Input& fetch : subgraph_.fetches) {
      if (is_dead(fetch)) return std::nullopt;
      cut.fetches.push_back(placed(fetch));
    }
    for (const int target : subgraph_.targets)
      cut.targets.push_back(target < 0 ? target : std::max(kDead, places_[target]));
    cut.nodes = std::move(nodes_);
    if (!keeps_frames(cut)) return std::nullopt;
    return cut;
  }

 private:
  static constexpr int kDead = -1;     // In `places_` and in targets.
  static constexpr int kGone = -2;     // In `places_`: a trigger without control inputs, which no node has to wait for.
  static constexpr int kUnknown = -1;  // In `switches_`.

  bool is_fed(const Input& input) const { return subgraph_.nodes[input.node].fed(input.output); }

  bool is_dead(const Input& input) const {
    if (is_fed(input)) return false;
    if (places_[input.node] == kDead) return true;
    return switches_[input.node] != kUnknown && input.output != switches_[input.node];
  }

  /// The new endpoint for an old one, which must not be dead.
  Input placed(const Input& input) const {
    if (is_fed(input)) return {places_[input.node], input.output};
    if (switches_[input.node] != kUnknown) return aliases_.at(input.node);
    if (!merged_[input.node]) return {places_[input.node], input.output};
    return input.output == 0 ? aliases_.at(input.node) : Input{indices_[input.node], 0};
  }

  std::vector<int> live_controls(const SubgraphNode& node) const {
    std::vector<int> controls;
    for (const int control : node.control_inputs) {
      if (places_[control] >= 0) controls.push_back(places_[control]);
    }
    return controls;
  }

  int push(SubgraphNode node) {
    const ControlFlow kind = node.control_flow();
    const auto is_there = [this](const Input& input) {
      return nodes_[input.node].fed(input.output) || is_always_there_[input.node];
    };
    bool always = kind == ControlFlow::kNone || (kind == ControlFlow::kEnter && is_constant_enter(node));
    always = always && (node.values || std::all_of(node.inputs.begin(), node.inputs.end(), is_there)) &&
             std::all_of(node.control_inputs.begin(), node.control_inputs.end(),
                         [this](int control) { return is_always_there_[control]; });
    is_always_there_.push_back(always);
    nodes_.push_back(std::move(node));
    return static_cast<int>(nodes_.size()) - 1;
  }

  /// Returns false if the subgraph has to be left unchanged.
  bool add(int index, const SubgraphNode& node) {
    const ControlFlow kind = node.control_flow();
    if (kind == ControlFlow::kMerge) return add_merge(index, node);
    if (kind == ControlFlow::kTrigger) return add_trigger(index, node);
    const auto input_is_dead = [this](const Input& input) { return is_dead(input); };
    const auto control_is_dead = [this](int control) { return places_[control] == kDead; };
    const bool is_dead = std::any_of(node.inputs.begin(), node.inputs.end(), input_is_dead) ||
                         std::any_of(node.control_inputs.begin(), node.control_inputs.end(), control_is_dead);
    if (kind == ControlFlow::kEnter) (is_dead ? dead_enters_ : live_enters_)[frames_.of_outputs[index]] = true;
    if (is_dead) return bury(index, node);
    SubgraphNode copy = node;
    for (Input& input : copy.inputs) input = placed(input);
    copy.control_inputs = live_controls(node);
    if (kind == ControlFlow::kSwitch && node.feeds.empty()) {
      if (const auto holds = predicates_.value_of(copy.inputs[1])) {
        pass_through_switch(index, *holds, std::move(copy));
        return true;
      }
    }
    places_[index] = push(std::move(copy));
    return true;
  }

  /// Drops a dead node but keeps its feeds. Returns false for a node with known values, since folding it presumed that
  /// its inputs are live.
  bool bury(int index, const SubgraphNode& node) {
    if (node.values && !node.values->empty()) return false;
    if (node.feeds.empty()) return true;
    SubgraphNode fed = node;
    fed.inputs.clear();
    fed.control_inputs.clear();
    fed.values.emplace();
    places_[index] = push(std::move(fed));
    return true;
  }

  void pass_through_switch(int index, bool holds, SubgraphNode node) {
    const Input data = node.inputs[0], predicate = node.inputs[1];
    std::vector<int> controls = std::move(node.control_inputs);
    if (!is_always_there_[predicate.node] && predicate.node != data.node) controls.push_back(predicate.node);
    switches_[index] = holds ? 1 : 0;
    pass(index, node, data, std::move(controls));
  }

  /// Redirects consumers of the node to `input`. Inserts an Identity if more than the value matters: control inputs,
  /// references, consumers that wait for the node.
  void pass(int index, const SubgraphNode& node, Input input, std::vector<int> controls, bool needs_node = false) {
    const SubgraphNode& source = nodes_[input.node];
    const ArgType type = source.fed(input.output) ? ArgType{source.info->outputs[input.output].dtype}
                                                  : source.info->outputs[input.output];
    const bool keeps_reference = node.info->outputs[0].is_ref;
    const bool tells_no_time = source.fed(input.output) || source.control_flow() == ControlFlow::kSwitch;
    if (!controls.empty() || type.is_ref != keeps_reference || (is_awaited_[index] && tells_no_time) || needs_node) {
      input = {push(made_identity(node, type, input, std::move(controls), keeps_reference)), 0};
    }
    aliases_[index] = input;
    places_[index] = input.node;
  }

  bool add_merge(int index, const SubgraphNode& node) {
    std::vector<size_t> live;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (!is_dead(node.inputs[i])) live.push_back(i);
    }
    if (live.empty()) return bury(index, node);
    std::vector<int> controls = live_controls(node);
    if (live.size() == node.inputs.size()) {
      SubgraphNode copy = node;
      for (Input& input : copy.inputs) input = placed(input);
      copy.control_inputs = std::move(controls);
      places_[index] = push(std::move(copy));
      if (is_unchanged_[index]) predicates_.note_unchanged(places_[index]);
      return true;
    }
    if (live.size() > 1 || is_loop_merge_[index] || !node.feeds.empty()) return false;
    if (!controls.empty()) {  // The trigger runs when these have run or are dead.
      SubgraphNode trigger = made_node(node, "ControlTrigger", {}, {}, {});
      trigger.control_inputs = std::move(controls);
      controls = {push(std::move(trigger))};
    }
    merged_[index] = true;
    pass(index, node, placed(node.inputs[live[0]]), std::move(controls), reads_index_[index]);
    if (reads_index_[index]) {
      AttrMap attrs;
      attrs.set("dtype", DType::kInt32);
      attrs.set("value", Tensor::scalar(static_cast<int32_t>(live[0])));
      SubgraphNode number = made_node(node, "Const", {}, {{DType::kInt32}}, std::move(attrs));
      number.control_inputs = {places_[index]};
      indices_[index] = push(std::move(number));
    }
    return true;
  }

  /// A trigger always runs and has no effect, so one without control inputs is not needed.
  bool add_trigger(int index, const SubgraphNode& node) {
    SubgraphNode copy = node;
    copy.control_inputs = live_controls(node);
    places_[index] = copy.control_inputs.empty() ? kGone : push(std::move(copy));
    return true;
  }

  /// Whether each node is still in its loop. A node's frame follows from its inputs and control inputs.
  bool keeps_frames(const Subgraph& cut) const {
    const auto found = find_frames(cut);
    if (!found.ok()) return false;
    const Frames& now = found.value();
    for (size_t i = 0; i < places_.size(); ++i) {
      const int place = places_[i];
      if (place < 0 || !cut.nodes[place].runs() || cut.nodes[place].origin != subgraph_.nodes[i].origin) continue;
      if (now.all[now.of_outputs[place]].name != frames_.all[frames_.of_outputs[i]].name) return false;
    }
    return true;
  }

  const Subgraph& subgraph_;
  const Frames& frames_;
  std::vector<SubgraphNode> nodes_;    // The remaining nodes.
  std::vector<bool> is_always_there_;  // By new index: no predicate decides whether it runs.
  KnownPredicates predicates_;
  std::vector<int> places_;       // By old index: the new index of the node or its replacement.
  std::vector<int> switches_;     // By old index, for Switches with known predicates: the live output.
  std::vector<bool> merged_;      // By old index: Merges with one remaining input.
  std::map<int, Input> aliases_;  // Replacements of both.
  // By old index, for Merges: the constant that replaces the index output.
  std::vector<int> indices_;
  std::vector<bool> is_loop_merge_;              // By node.
  std::vector<bool> is_unchanged_;               // By node: the Merge of a loop variable that no iteration changes.
  std::vector<bool> is_awaited_;                 // By node: it has a control consumer or is a target.
  std::vector<bool> reads_index_;                // By node: its output 1 is read.
  std::vector<bool> dead_enters_, live_enters_;  // By frame: it has such Enters.
};

bool has_known_switch(const Subgraph& subgraph) {
  KnownPredicates predicates(subgraph.nodes);
  for (const int merge : unchanged_variables(subgraph)) predicates.note_unchanged(merge);
  return std::any_of(subgraph.nodes.begin(), subgraph.nodes.end(), [&](const SubgraphNode& node) {
    return node.runs() && node.control_flow() == ControlFlow::kSwitch && predicates.value_of(node.inputs[1]);
  });
}

}  // namespace

void cut_known_branches(Subgraph& subgraph) {
  if (!has_known_switch(subgraph)) return;
  const auto frames = find_frames(subgraph);
  if (!frames.ok()) return;  // The unchanged step reports the error.
  if (auto cut = BranchCutter(subgraph, frames.value()).run()) subgraph = std::move(*cut);
}

}  // namespace tinytf
