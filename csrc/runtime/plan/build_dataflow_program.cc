#include <algorithm>
#include <map>
#include <utility>

#include "graph/passes/frames.h"
#include "runtime/plan/dataflow_program.h"
#include "runtime/plan/node_layout.h"

namespace tinytf {

namespace {

class DataflowProgramBuilder {
 public:
  DataflowProgramBuilder(const Subgraph& subgraph, const Frames& frames, const std::vector<Endpoint>& feeds,
                         KernelSource kernels, bool is_partial, std::string why_not_code)
      : subgraph_(subgraph),
        frames_(frames),
        layout_(subgraph, feeds, kernels, is_partial, program_),
        tokens_(std::make_shared<DataflowProgram>()),
        places_(subgraph.nodes.size(), -1),
        inputs_(subgraph.nodes.size()) {
    tokens_->why_not_code = std::move(why_not_code);
    of_feed_.resize(feeds.size());
  }

  Result<Program> build() {
    add_frames(0, std::vector<bool>(frames_.all.size(), true));
    gather_inputs();
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      if (subgraph_.nodes[i].runs()) TINYTF_RETURN_IF_ERROR(add(static_cast<int>(i)));
      add_not_finite(subgraph_.nodes[i]);
    }
    add_edges();
    add_fetches();
    store_edges();
    program_.fetch_slots.assign(subgraph_.fetches.size(), -1);
    return finished();
  }

  /// Builds the program of a region. Its inputs and controls count as feeds, its outputs as fetches.
  Result<Program> build(const Region& region) {
    region_ = &region;
    for (size_t k = 0; k < region.inputs.size(); ++k) {
      feed_of_[{region.inputs[k].node, region.inputs[k].output}] = k;
    }
    for (size_t k = 0; k < region.controls.size(); ++k) {
      feed_of_[{region.controls[k], Region::kControl}] = region.inputs.size() + k;
    }
    of_feed_.resize(feed_of_.size());
    program_.feed_slots.assign(feed_of_.size(), -1);
    program_.feed_types.clear();
    std::vector<bool> has_nodes(frames_.all.size());
    for (const int index : region.nodes) has_nodes[frames_.of[index]] = has_nodes[frames_.of_outputs[index]] = true;
    add_frames(base_of(region), has_nodes);
    gather_inputs();
    for (const int index : region.nodes) TINYTF_RETURN_IF_ERROR(add(index));
    add_edges();
    add_outputs(region);
    store_edges();
    program_.fetch_slots.assign(region.outputs.size(), -1);
    return finished();
  }

 private:
  Program finished() {
    for (size_t n = 0; n < program_.nodes.size(); ++n) {
      const DataflowNode& node = tokens_->nodes[n];
      if (node.data_inputs + node.control_inputs == 0) tokens_->roots.push_back(static_cast<int32_t>(n));
    }
    program_.tokens = std::move(tokens_);
    return std::move(program_);
  }

  /// Adds a folded node with NaN or infinity, for the NaN watch. Steps do not use the slots of its inputs and values.
  void add_not_finite(const SubgraphNode& node) {
    if (!NodeLayout::is_not_finite(node)) return;
    const auto add_slot = [this](const Tensor* value) {
      if (value != nullptr) program_.constants.emplace_back(program_.slot_count, *value);
      return program_.slot_count++;
    };
    const int32_t first_output = program_.slot_count;
    for (const Tensor& value : *node.values) add_slot(&value);
    layout_.add_not_finite(node, first_output, [&](const SubgraphNode::Input& input) {
      const SubgraphNode& source = subgraph_.source(input);
      return add_slot(source.values && !subgraph_.fed(input) ? &(*source.values)[input.output] : nullptr);
    });
  }

  /// The frame in which a region runs.
  int base_of(const Region& region) const {
    int base = frames_.of[region.nodes.front()];
    for (const int index : region.nodes) base = std::min(base, frames_.of[index]);
    return base;
  }

  /// Adds the frame of a step or region as the first one, and then those of its nodes.
  void add_frames(int base, const std::vector<bool>& has_nodes) {
    frame_numbers_.assign(frames_.all.size(), -1);
    for (int f = base; f < static_cast<int>(frames_.all.size()); ++f) {  // Outer frames come first.
      const Frame& frame = frames_.all[f];
      if (f != base && !has_nodes[f]) continue;
      frame_numbers_[f] = static_cast<int32_t>(tokens_->frames.size());
      DataflowFrame& added = tokens_->frames.emplace_back();
      added.name = frame.name;
      added.parent = f == base ? -1 : frame_numbers_[frame.parent];
      added.enters = frame.enters;
      if (added.parent >= 0) added.child_place = tokens_->frames[added.parent].children++;
    }
  }

  /// Collects the inputs of all nodes, with back edges at their positions.
  void gather_inputs() {
    std::vector<std::vector<BackEdge>> back(subgraph_.nodes.size());
    for (const BackEdge& edge : subgraph_.back_edges) back[edge.merge].push_back(edge);
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      const SubgraphNode& node = subgraph_.nodes[i];
      if (node.removed || node.values) continue;
      inputs_[i] = node.inputs;
      for (const BackEdge& edge : back[i]) {  // In the order of their positions.
        inputs_[i].insert(inputs_[i].begin() + edge.position, edge.from);
      }
    }
  }

  Status add(int index) {
    const SubgraphNode& node = subgraph_.nodes[index];
    TINYTF_ASSIGN_OR_RETURN(std::shared_ptr<Kernel> kernel, layout_.make_kernel(node));
    places_[index] = static_cast<int32_t>(program_.nodes.size());
    DataflowNode& token = tokens_->nodes.emplace_back();
    token.kind = node.control_flow();
    token.frame = frame_numbers_[frames_.of[index]];
    DataflowFrame& frame = tokens_->frames[token.frame];
    token.place = static_cast<int32_t>(frame.nodes.size());
    frame.nodes.push_back(places_[index]);
    if (token.kind == ControlFlow::kEnter) {
      token.enters = frame_numbers_[frames_.of_outputs[index]];
      token.is_constant = is_constant_enter(node);
      const auto* at_once = node.info->attrs.get<int64_t>("parallel_iterations");
      if (at_once != nullptr) token.at_once = *at_once;
    }
    token.slots_begin = frame.slot_count;
    const int32_t first_output = token.slots_begin + static_cast<int32_t>(inputs_[index].size());
    frame.slot_count = first_output + static_cast<int32_t>(node.info->outputs.size());
    TINYTF_RETURN_IF_ERROR(layout_.add(
        index, std::move(kernel), inputs_[index], first_output,
        [slot = token.slots_begin](const SubgraphNode::Input&) mutable { return slot++; },
        [&frame] { return frame.slot_count++; }));
    token.slots_end = frame.slot_count;
    return Status();
  }

  /// Collects the edges from each producer.
  void add_edges() {
    of_node_.resize(program_.nodes.size());
    of_known_.resize(subgraph_.nodes.size());
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      if (places_[i] < 0) continue;
      DataflowNode& token = tokens_->nodes[places_[i]];
      for (size_t k = 0; k < inputs_[i].size(); ++k) {
        send(inputs_[i][k], {0, places_[i], token.slots_begin + static_cast<int32_t>(k)});
      }
      token.data_inputs = static_cast<int32_t>(inputs_[i].size());
      for (const int control : subgraph_.nodes[i].control_inputs) {
        if (!subgraph_.nodes[control].runs()) continue;
        send({control, DataflowEdge::kControl}, {0, places_[i], 0});
        ++token.control_inputs;
      }
    }
  }

  void send(const SubgraphNode::Input& from, DataflowEdge edge) {
    edge.output = from.output;
    const bool is_fed = edge.output != DataflowEdge::kControl && subgraph_.fed(from);
    if (!is_fed && places_[from.node] >= 0) {
      of_node_[places_[from.node]].push_back(edge);
    } else if (region_ == nullptr && is_fed) {
      of_feed_[subgraph_.source(from).feeds[from.output]].push_back(edge);
    } else if (region_ != nullptr && (is_fed || subgraph_.source(from).runs())) {
      of_feed_[feed_of_.at({from.node, from.output})].push_back(edge);
    } else {
      of_known_[from.node].push_back(edge);
    }
  }

  void add_fetches() {
    for (size_t f = 0; f < subgraph_.fetches.size(); ++f) {
      const auto number = static_cast<int32_t>(f);
      const int32_t snapshot = layout_.snapshot_of(f);
      if (snapshot < 0) {
        send(subgraph_.fetches[f], {0, DataflowEdge::kFetch, number});
      } else {  // The copy of a reference counts as another output.
        const int32_t place = places_[subgraph_.fetches[f].node];
        of_node_[place].push_back({snapshot - program_.nodes[place].first_output, DataflowEdge::kFetch, number});
      }
    }
  }

  void add_outputs(const Region& region) {
    for (size_t k = 0; k < region.outputs.size(); ++k) {
      const SubgraphNode::Input& output = region.outputs[k];
      of_node_[places_[output.node]].push_back({output.output, DataflowEdge::kFetch, static_cast<int32_t>(k)});
      const auto is_it = [&](const SubgraphNode::Input& fetch) {
        return fetch.node == output.node && fetch.output == output.output;
      };
      const auto fetch = std::find_if(subgraph_.fetches.begin(), subgraph_.fetches.end(), is_it);
      const bool is_fetched = fetch != subgraph_.fetches.end();
      tokens_->fetch_numbers.push_back(is_fetched ? static_cast<int32_t>(fetch - subgraph_.fetches.begin()) : -1);
    }
  }

  void store_edges() {
    const auto put = [this](const std::vector<DataflowEdge>& edges, int32_t* begin, int32_t* end) {
      *begin = static_cast<int32_t>(tokens_->edges.size());
      tokens_->edges.insert(tokens_->edges.end(), edges.begin(), edges.end());
      *end = static_cast<int32_t>(tokens_->edges.size());
    };
    for (size_t n = 0; n < of_node_.size(); ++n)
      put(of_node_[n], &tokens_->nodes[n].edges_begin, &tokens_->nodes[n].edges_end);
    tokens_->feeds.resize(of_feed_.size());
    for (size_t f = 0; f < of_feed_.size(); ++f)
      put(of_feed_[f], &tokens_->feeds[f].edges_begin, &tokens_->feeds[f].edges_end);
    for (size_t i = 0; i < of_known_.size(); ++i) {
      for (const DataflowEdge& edge : of_known_[i]) {
        DataflowSource& constant = tokens_->constants.emplace_back();
        constant.value = (*subgraph_.nodes[i].values)[edge.output];
        put({edge}, &constant.edges_begin, &constant.edges_end);
      }
    }
  }

  const Subgraph& subgraph_;
  const Frames& frames_;
  Program program_;
  NodeLayout layout_;
  std::shared_ptr<DataflowProgram> tokens_;
  // By node of the subgraph: index in the program; -1: it does not run there.
  std::vector<int32_t> places_;
  std::vector<int32_t> frame_numbers_;                    // By frame of the subgraph: index in the program; else -1.
  std::vector<std::vector<SubgraphNode::Input>> inputs_;  // By node of the subgraph, back edges included.
  const Region* region_ = nullptr;                        // Null for a whole step.
  std::map<std::pair<int, int>, size_t> feed_of_;         // By input or control of the region.
  // By node of the program, by feed, and by node of the subgraph whose values are known.
  std::vector<std::vector<DataflowEdge>> of_node_, of_feed_, of_known_;
};

}  // namespace

Result<Program> build_dataflow_program(const Subgraph& subgraph, const std::vector<Endpoint>& feeds,
                                       KernelSource kernels, std::string why_not_code) {
  TINYTF_ASSIGN_OR_RETURN(const Frames frames, find_frames(subgraph));
  return DataflowProgramBuilder(subgraph, frames, feeds, kernels, /*is_partial=*/false, std::move(why_not_code))
      .build();
}

Result<Program> build_region_program(const Subgraph& subgraph, const Frames& frames, const std::vector<Endpoint>& feeds,
                                     KernelSource kernels, bool is_partial, const Region& region) {
  return DataflowProgramBuilder(subgraph, frames, feeds, kernels, is_partial, region.why).build(region);
}

}  // namespace tinytf
