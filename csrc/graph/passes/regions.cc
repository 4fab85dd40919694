#include "graph/passes/regions.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <utility>

#include "graph/passes/made_node.h"

namespace tinytf {

namespace {

using Input = SubgraphNode::Input;

/// The info of a node that stands for a region. It owns its op.
struct RegionInfo : NodeInfo {
  OpDef definition;
};

class Contractor {
 public:
  Contractor(const Subgraph& original, const std::vector<RegionSeed>& seeds)
      : original_(original), place_(original.nodes.size(), -1) {
    for (const RegionSeed& seed : seeds) {
      Region& region = regions_.emplace_back();
      region.nodes = seed.nodes;
      region.why = seed.why;
      region.is_live = seed.is_live;
      for (const int node : seed.nodes) place_[node] = static_cast<int>(regions_.size()) - 1;
    }
  }

  std::optional<Contraction> run() {
    gather_back_edges();
    for (size_t r = 0; r < regions_.size(); ++r) find_inputs(static_cast<int>(r));
    find_outputs();
    if (lets_references_out()) return std::nullopt;
    nodes_ = original_.nodes;
    keys_.resize(nodes_.size());
    for (size_t i = 0; i < nodes_.size(); ++i) {
      keys_[i] = static_cast<int>(i);
      nodes_[i].removed |= place_[i] >= 0;
    }
    for (Region& region : regions_) add(region);
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].runs() && nodes_[i].region == nullptr && i < place_.size()) rewire(nodes_[i]);
    }
    for (const int stands : stands_) rewire(nodes_[stands]);
    return sorted();
  }

 private:
  void gather_back_edges() {
    for (const BackEdge& edge : original_.back_edges) back_[edge.merge].push_back(edge.from);
  }

  bool is_in(int node, int region) const { return place_[node] == region; }

  /// Whether the node only gives each iteration of a loop a constant.
  bool gives_constant(const SubgraphNode& node) const {
    return node.control_flow() == ControlFlow::kEnter && is_constant_enter(node);
  }

  void find_inputs(int number) {
    Region& region = regions_[number];
    std::map<std::pair<int, int>, size_t> inputs;
    std::map<int, size_t> controls;
    const bool is_loop = std::any_of(region.nodes.begin(), region.nodes.end(), [&](int index) {
      return original_.nodes[index].control_flow() == ControlFlow::kEnter && !gives_constant(original_.nodes[index]);
    });
    for (const int index : region.nodes) {
      const SubgraphNode& node = original_.nodes[index];
      const bool decides = !is_loop || !gives_constant(node);
      bool waits = false;
      if (!node.values) {
        for (const Input& input : node.inputs) {
          const bool is_fed = original_.fed(input);
          if (!is_fed && is_in(input.node, number)) {
            waits = true;
          } else if (is_fed || original_.source(input).runs()) {
            waits = true;
            const auto [at, is_new] = inputs.try_emplace({input.node, input.output}, region.inputs.size());
            if (is_new) region.inputs.push_back(input);
            region.input_decides.resize(region.inputs.size());
            if (decides) region.input_decides[at->second] = true;
          }
        }
        waits |= back_.count(index) != 0;
      }
      for (const int control : node.control_inputs) {
        if (!original_.nodes[control].runs()) continue;
        waits = true;
        if (is_in(control, number)) continue;
        const auto [at, is_new] = controls.try_emplace(control, region.controls.size());
        if (is_new) region.controls.push_back(control);
        region.control_decides.resize(region.controls.size());
        if (decides) region.control_decides[at->second] = true;
      }
      region.has_roots |= decides && (!waits || reads_known(node));
    }
  }

  /// Whether some input is known from the beginning.
  bool reads_known(const SubgraphNode& node) const {
    return !node.values && std::any_of(node.inputs.begin(), node.inputs.end(), [&](const Input& input) {
      return !original_.fed(input) && !original_.source(input).runs();
    });
  }

  void find_outputs() {
    outputs_.resize(regions_.size());
    for (size_t i = 0; i < original_.nodes.size(); ++i) {
      const SubgraphNode& node = original_.nodes[i];
      if (!node.runs()) continue;
      if (!node.values) {
        for (const Input& input : node.inputs) note_read(input, place_[i]);
      }
      for (const int control : node.control_inputs) note_output({control, Region::kControl}, place_[i]);
    }
    for (const Input& fetch : original_.fetches) note_read(fetch, -1);
    for (const BackEdge& edge : original_.back_edges) note_read(edge.from, place_[edge.merge]);
  }

  void note_read(const Input& input, int reader) {
    if (!original_.fed(input)) note_output(input, reader);
  }

  void note_output(const Input& output, int reader) {
    const int region = place_[output.node];
    if (region < 0 || region == reader || !original_.nodes[output.node].runs()) return;
    auto& known = outputs_[region];
    if (known.try_emplace({output.node, output.output}, known.size()).second) {
      regions_[region].outputs.push_back(output);
    }
  }

  /// Whether a node outside of a region reads a reference from it. Fetched references are values of the region's step.
  bool lets_references_out() const {
    const auto leaves = [&](const Input& input, size_t reader) {
      return original_.is_ref(input) && place_[input.node] >= 0 && place_[input.node] != place_[reader];
    };
    for (size_t i = 0; i < original_.nodes.size(); ++i) {
      const SubgraphNode& node = original_.nodes[i];
      if (!node.runs() || node.values) continue;
      for (const Input& input : node.inputs) {
        if (leaves(input, i)) return true;
      }
    }
    return std::any_of(original_.back_edges.begin(), original_.back_edges.end(),
                       [&](const BackEdge& edge) { return leaves(edge.from, static_cast<size_t>(edge.merge)); });
  }

  int append(SubgraphNode node, int key) {
    nodes_.push_back(std::move(node));
    keys_.push_back(key);
    return static_cast<int>(nodes_.size()) - 1;
  }

  /// Adds the node that stands for the region, and the Switches through which its outputs are read.
  void add(Region& region) {
    const SubgraphNode& first = original_.nodes[region.nodes.front()];
    const int key = region.nodes.back();
    auto info = std::make_shared<RegionInfo>();
    info->name = first.info->name;
    info->device = first.info->device;
    info->definition.name = "_Region";
    for (const int node : region.nodes) {
      info->definition.is_stateful |= original_.nodes[node].info->op->is_stateful;
    }
    info->op = &info->definition;
    for (const Input& input : region.inputs)
      info->inputs.push_back(original_.source(input).info->outputs[input.output]);
    std::vector<int> values;  // By output of the region.
    for (const Input& output : region.outputs) {
      values.push_back(static_cast<int>(info->outputs.size()));
      if (output.output != Region::kControl) {
        info->outputs.push_back({original_.nodes[output.node].info->outputs[output.output].dtype, false});
      }
    }
    const auto flags = static_cast<int>(info->outputs.size());
    if (!region.is_live) info->outputs.resize(flags + region.outputs.size(), {DType::kBool, false});
    SubgraphNode node;
    node.info = info;
    node.origin = first.origin;
    node.inputs = region.inputs;
    node.control_inputs = region.controls;
    const auto shared = std::make_shared<const Region>(std::move(region));
    node.region = shared;
    const int stands = append(std::move(node), key);
    stands_.push_back(stands);
    done_.push_back(shared);
    for (size_t k = 0; k < shared->outputs.size(); ++k) {
      read_by_[{shared->outputs[k].node, shared->outputs[k].output}] =
          reader_of(*shared, stands, k, values[k], flags + static_cast<int>(k), key);
    }
  }

  /// What consumers read instead of output `k` of a region.
  Input reader_of(const Region& region, int stands, size_t k, int value, int flag, int key) {
    const Input& output = region.outputs[k];
    const bool is_control = output.output == Region::kControl;
    if (region.is_live) return {stands, is_control ? 0 : value};
    const SubgraphNode& of = original_.nodes[output.node];
    const ArgType type = {is_control ? DType::kBool : of.info->outputs[output.output].dtype, false};
    AttrMap attrs;
    attrs.set("T", type.dtype);
    SubgraphNode branch = made_node(of, "Switch", {type, {DType::kBool, false}}, {type, type}, std::move(attrs));
    branch.inputs = {{stands, is_control ? flag : value}, {stands, flag}};
    const int switched = append(std::move(branch), key);
    if (!is_control) return {switched, 1};
    return {append(made_identity(of, type, {switched, 1}, {}, false), key), 0};
  }

  void rewire(SubgraphNode& node) {
    const int own = node.region != nullptr ? place_[node.region->nodes.front()] : -1;
    for (Input& input : node.inputs) {
      if (!original_.fed(input) && place_[input.node] >= 0 && place_[input.node] != own) input = now(input);
    }
    for (int& control : node.control_inputs) {
      if (place_[control] < 0 || place_[control] == own || !original_.nodes[control].runs()) continue;
      control = read_by_.at({control, Region::kControl}).node;
    }
  }

  Input now(const Input& input) const {
    const auto found = read_by_.find({input.node, input.output});
    return found == read_by_.end() ? input : found->second;
  }

  /// Sorts the nodes topologically, those that are ready by their keys.
  std::optional<Contraction> sorted() {
    std::vector<int> pending(nodes_.size());
    std::vector<std::vector<int>> readers(nodes_.size());
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].removed) continue;
      const auto wait = [&](int source) {
        if (nodes_[source].removed) return;
        readers[source].push_back(static_cast<int>(i));
        ++pending[i];
      };
      for (const Input& input : nodes_[i].inputs) {
        if (!nodes_[i].values && !nodes_[input.node].fed(input.output)) wait(input.node);
      }
      for (const int control : nodes_[i].control_inputs) wait(control);
    }
    using Key = std::pair<int, int>;
    std::priority_queue<Key, std::vector<Key>, std::greater<>> ready;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (pending[i] == 0) ready.emplace(keys_[i], static_cast<int>(i));
    }
    std::vector<int> order, new_place(nodes_.size(), -1);
    while (!ready.empty()) {
      const int node = ready.top().second;
      ready.pop();
      new_place[node] = static_cast<int>(order.size());
      order.push_back(node);
      for (const int reader : readers[node]) {
        if (--pending[reader] == 0) ready.emplace(keys_[reader], reader);
      }
    }
    if (order.size() < nodes_.size()) return std::nullopt;
    return renumbered(order, new_place);
  }

  Contraction renumbered(const std::vector<int>& order, const std::vector<int>& new_place) {
    Contraction result;
    result.regions = std::move(done_);
    const auto renumber = [&](Input& input) { input.node = new_place[input.node]; };
    for (const int old : order) {
      const bool is_original = static_cast<size_t>(old) < original_.nodes.size();
      result.original.push_back(is_original ? old : -1);
      const auto stands = std::find(stands_.begin(), stands_.end(), old);
      result.region_of.push_back(stands == stands_.end() ? -1 : static_cast<int>(stands - stands_.begin()));
      SubgraphNode& node = result.subgraph.nodes.emplace_back(std::move(nodes_[old]));
      for (Input& input : node.inputs) renumber(input);
      for (int& control : node.control_inputs) control = new_place[control];
    }
    for (BackEdge edge : original_.back_edges) {
      if (place_[edge.merge] >= 0) continue;
      edge.merge = new_place[edge.merge];
      edge.from = now(edge.from);
      renumber(edge.from);
      result.subgraph.back_edges.push_back(edge);
    }
    for (const Input& fetch : original_.fetches) {
      Input& read = result.subgraph.fetches.emplace_back(original_.fed(fetch) ? fetch : now(fetch));
      renumber(read);
    }
    for (const int target : original_.targets) result.subgraph.targets.push_back(target < 0 ? -1 : new_place[target]);
    return result;
  }

  const Subgraph& original_;
  std::vector<int> place_;  // By original node: its region; -1: none.
  std::vector<Region> regions_;
  std::vector<std::shared_ptr<const Region>> done_;
  std::map<int, std::vector<Input>> back_;                      // By Merge: the sources of its back edges.
  std::vector<std::map<std::pair<int, int>, size_t>> outputs_;  // By region.
  std::vector<SubgraphNode> nodes_;                             // The original ones, then those that stand for regions.
  std::vector<int> keys_;                                       // By node: its order among ready nodes.
  std::vector<int> stands_;                                     // By region: the node that stands for it.
  std::map<std::pair<int, int>, Input> read_by_;                // By output of a region: what consumers read.
};

/// By frame: whether it is `frame` or inside of it.
std::vector<bool> frames_in(const Frames& frames, int frame) {
  std::vector<bool> is_in(frames.all.size());
  for (size_t f = 0; f < frames.all.size(); ++f) {  // Outer frames come first.
    is_in[f] = static_cast<int>(f) == frame || (frames.all[f].parent >= 0 && is_in[frames.all[f].parent]);
  }
  return is_in;
}

}  // namespace

std::optional<Contraction> contract(const Subgraph& original, const std::vector<RegionSeed>& seeds) {
  return Contractor(original, seeds).run();
}

bool add_seed(const Contraction& contraction, const Frames& frames, Misfit& misfit, const std::string& why,
              std::vector<RegionSeed>& seeds) {
  const Subgraph& subgraph = contraction.subgraph;
  RegionSeed seed;
  seed.why = why;
  std::vector<bool> is_joined(seeds.size());
  if (misfit.frame > 0) {
    const std::vector<bool> is_in = frames_in(frames, misfit.frame);
    for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
      if (!subgraph.nodes[i].runs() || frames.of[i] < 0) continue;
      if (!is_in[frames.of[i]] && !is_in[frames.of_outputs[i]]) continue;
      if (contraction.original[i] >= 0) seed.nodes.push_back(contraction.original[i]);
      if (contraction.region_of[i] >= 0) is_joined[contraction.region_of[i]] = true;
    }
  } else {
    if (misfit.node < 0 || contraction.original[misfit.node] < 0) return false;
    const SubgraphNode& merge = subgraph.nodes[misfit.node];
    const auto leads_back = [&](const BackEdge& edge) { return edge.merge == misfit.node; };
    if (merge.control_flow() != ControlFlow::kMerge ||
        std::any_of(subgraph.back_edges.begin(), subgraph.back_edges.end(), leads_back)) {
      return false;
    }
    seed.nodes = {contraction.original[misfit.node]};
    std::vector<int> arms;
    int common = GuardTable::kNever;
    for (const auto& input : merge.inputs) {
      arms.push_back(misfit.guards.of_output(subgraph, input));
      common = misfit.guards.table.common(common, arms.back());
    }
    // A control input may delay a Merge, whether it is dead or not.
    seed.is_live = merge.control_inputs.empty() && misfit.guards.table.covered(common, arms);
  }
  if (seed.nodes.empty()) return false;
  std::vector<RegionSeed> kept;
  for (size_t r = 0; r < seeds.size(); ++r) {
    if (is_joined[r]) {
      seed.nodes.insert(seed.nodes.end(), seeds[r].nodes.begin(), seeds[r].nodes.end());
    } else {
      kept.push_back(std::move(seeds[r]));
    }
  }
  std::sort(seed.nodes.begin(), seed.nodes.end());
  kept.push_back(std::move(seed));
  seeds = std::move(kept);
  return true;
}

}  // namespace tinytf
