#include "graph/passes/grow_regions.h"

#include <algorithm>
#include <utility>

namespace tinytf {

namespace {

using Input = SubgraphNode::Input;

class Growth {
 public:
  Growth(const Subgraph& subgraph, const Frames& frames, std::vector<RegionSeed>& seeds)
      : subgraph_(subgraph),
        frames_(frames),
        seeds_(seeds),
        place_(subgraph.nodes.size(), -1),
        readers_(subgraph.nodes.size()) {
    for (size_t s = 0; s < seeds.size(); ++s) {
      for (const int node : seeds[s].nodes) place_[node] = static_cast<int>(s);
      const auto frame_of = [&](int node) { return frames.of[node]; };
      const auto outer = std::min_element(seeds[s].nodes.begin(), seeds[s].nodes.end(),
                                          [&](int a, int b) { return frame_of(a) < frame_of(b); });
      frame_of_seed_.push_back(frame_of(*outer));  // Outer frames come first.
      pending_.insert(pending_.end(), seeds[s].nodes.begin(), seeds[s].nodes.end());
    }
    for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
      for_values(static_cast<int>(i), [&](const Input& input) {
        if (subgraph.is_ref(input)) readers_[input.node].push_back(static_cast<int>(i));
      });
    }
  }

  bool run() {
    for (;;) {
      if (!add_by_references()) return false;
      const std::vector<int> between = between_seeds();
      if (between.empty()) break;
      const auto of_seed = std::find_if(between.begin(), between.end(), [&](int node) { return place_[node] >= 0; });
      const int seed = place_[*of_seed];  // Each cycle goes through a seed.
      for (const int node : between) {
        if (!add(node, seed)) return false;
      }
    }
    finish();
    return true;
  }

 private:
  /// Calls visit(input) for the inputs of a node that other nodes yield in the step.
  template <class Visit>
  void for_values(int index, Visit visit) const {
    const SubgraphNode& node = subgraph_.nodes[index];
    if (!node.runs() || node.values) return;
    for (const Input& input : node.inputs) {
      if (!subgraph_.fed(input) && subgraph_.source(input).runs()) visit(input);
    }
  }

  /// Whether the node yields a variable: it is live whenever the step runs, and waits for nothing.
  bool is_source(int index) const {
    return subgraph_.nodes[index].inputs.empty() && subgraph_.nodes[index].control_inputs.empty();
  }

  bool add_by_references() {
    while (!pending_.empty()) {
      const int node = pending_.back();
      pending_.pop_back();
      bool fits = true;
      for_values(node, [&](const Input& input) {
        if (subgraph_.is_ref(input) && !is_source(input.node)) fits = fits && add(input.node, place_[node]);
      });
      for (const int reader : readers_[node]) fits = fits && add(reader, place_[node]);
      if (!fits) return false;
    }
    return true;
  }

  /// Adds a node, or all nodes of its seed, to a seed. False if they do not fit.
  bool add(int index, int seed) {
    if (place_[index] == seed) return true;
    if (place_[index] >= 0) return join(place_[index], seed);
    const ControlFlow kind = subgraph_.nodes[index].control_flow();
    const bool is_loop = kind == ControlFlow::kEnter || kind == ControlFlow::kExit ||
                         kind == ControlFlow::kNextIteration || kind == ControlFlow::kLoopCond;
    if (is_loop || frames_.of[index] != frame_of_seed_[seed] || starts_iterations(index)) return false;
    put(index, seed);
    return true;
  }

  /// Whether the node is a Merge, or the Switch on one, of a variable of a loop.
  bool starts_iterations(int index) const {
    const SubgraphNode& node = subgraph_.nodes[index];
    if (node.control_flow() == ControlFlow::kSwitch && !subgraph_.fed(node.inputs[1]) &&
        subgraph_.source(node.inputs[1]).control_flow() == ControlFlow::kLoopCond) {
      return true;
    }
    return std::any_of(subgraph_.back_edges.begin(), subgraph_.back_edges.end(),
                       [&](const BackEdge& edge) { return edge.merge == index; });
  }

  bool join(int from, int to) {
    if (frame_of_seed_[from] != frame_of_seed_[to]) return false;
    for (const int node : std::exchange(seeds_[from].nodes, {})) {
      place_[node] = to;
      seeds_[to].nodes.push_back(node);
    }
    seeds_[to].is_live = false;
    return true;
  }

  void put(int index, int seed) {
    place_[index] = seed;
    seeds_[seed].nodes.push_back(index);
    seeds_[seed].is_live = false;
    pending_.push_back(index);
  }

  /// The nodes on cycles of seeds, and those between such cycles; empty if no seed depends on itself.
  std::vector<int> between_seeds() const {
    const size_t count = subgraph_.nodes.size();
    const auto at = [&](int node) { return place_[node] >= 0 ? count + static_cast<size_t>(place_[node]) : node; };
    std::vector<std::vector<size_t>> before(count + seeds_.size()), after(count + seeds_.size());
    const auto connect = [&](int from, size_t to) {
      if (!subgraph_.nodes[from].runs() || at(from) == to) return;
      before[to].push_back(at(from));
      after[at(from)].push_back(to);
    };
    for (size_t i = 0; i < count; ++i) {
      const int node = static_cast<int>(i);
      for_values(node, [&](const Input& input) { connect(input.node, at(node)); });
      if (!subgraph_.nodes[i].runs()) continue;
      for (const int control : subgraph_.nodes[i].control_inputs) connect(control, at(node));
    }
    std::vector<bool> is_out(before.size());
    trim(before, after, is_out);
    trim(after, before, is_out);
    std::vector<int> found;
    for (size_t i = 0; i < count; ++i) {
      if (!is_out[at(static_cast<int>(i))]) found.push_back(static_cast<int>(i));
    }
    return found;
  }

  /// Takes out what depends on nothing that is left, again and again.
  static void trim(const std::vector<std::vector<size_t>>& before, const std::vector<std::vector<size_t>>& after,
                   std::vector<bool>& is_out) {
    std::vector<size_t> left(before.size()), ready;
    for (size_t i = 0; i < before.size(); ++i) {
      left[i] = static_cast<size_t>(
          std::count_if(before[i].begin(), before[i].end(), [&](size_t source) { return !is_out[source]; }));
      if (left[i] == 0 && !is_out[i]) ready.push_back(i);
    }
    while (!ready.empty()) {
      const size_t node = ready.back();
      ready.pop_back();
      is_out[node] = true;
      for (const size_t reader : after[node]) {
        if (--left[reader] == 0 && !is_out[reader]) ready.push_back(reader);
      }
    }
  }

  void finish() {
    seeds_.erase(
        std::remove_if(seeds_.begin(), seeds_.end(), [](const RegionSeed& seed) { return seed.nodes.empty(); }),
        seeds_.end());
    for (RegionSeed& seed : seeds_) std::sort(seed.nodes.begin(), seed.nodes.end());
  }

  const Subgraph& subgraph_;
  const Frames& frames_;
  std::vector<RegionSeed>& seeds_;
  std::vector<int> frame_of_seed_;         // The frame around the nodes of a seed.
  std::vector<int> place_;                 // By node: its seed; -1: none.
  std::vector<std::vector<int>> readers_;  // By node: the nodes that read references from it.
  std::vector<int> pending_;               // Nodes of seeds whose references were not followed yet.
};

}  // namespace

bool grow_seeds(const Subgraph& subgraph, const Frames& frames, std::vector<RegionSeed>& seeds) {
  return Growth(subgraph, frames, seeds).run();
}

}  // namespace tinytf
