#include <algorithm>
#include <utility>

#include "graph/passes/frames.h"
#include "runtime/plan/build_parts.h"
#include "runtime/plan/dataflow_program.h"

namespace tinytf {

namespace {

class DataflowProgramBuilder {
 public:
  DataflowProgramBuilder(const Subgraph& subgraph, const Frames& frames, const std::vector<Endpoint>& feeds,
                         KernelSource kernels, std::string why_not_code)
      : subgraph_(subgraph),
        frames_(frames),
        feeds_(feeds),
        kernels_(kernels),
        tokens_(std::make_shared<DataflowProgram>()),
        places_(subgraph.nodes.size(), -1),
        inputs_(subgraph.nodes.size()),
        fetched_references_(subgraph.nodes.size()),
        snapshots_(subgraph.fetches.size(), -1) {
    for (Endpoint e : feeds) program_.feed_types.push_back(e.node->info->outputs[e.index].dtype);
    program_.feed_slots.assign(feeds.size(), -1);
    tokens_->why_not_code = std::move(why_not_code);
    tokens_->feeds.resize(feeds.size());
    for (size_t f = 0; f < subgraph.fetches.size(); ++f) {
      const auto& fetch = subgraph.fetches[f];
      const bool is_ref = !source(fetch).fed(fetch.output) && source(fetch).info->outputs[fetch.output].is_ref;
      if (is_ref) fetched_references_[fetch.node].push_back(static_cast<int>(f));
    }
  }

  Result<Program> build() {
    add_frames();
    gather_inputs();
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      if (subgraph_.nodes[i].runs()) TINYTF_RETURN_IF_ERROR(add(static_cast<int>(i)));
    }
    add_edges();
    for (size_t n = 0; n < program_.nodes.size(); ++n) {
      const DataflowNode& node = tokens_->nodes[n];
      if (node.data_inputs + node.control_inputs == 0) tokens_->roots.push_back(static_cast<int32_t>(n));
      PlanNode& planned = program_.nodes[n];
      planned.is_plain = planned.derefs_begin == planned.derefs_end && planned.snapshots_begin == planned.snapshots_end;
    }
    program_.fetch_slots.assign(subgraph_.fetches.size(), -1);
    program_.tokens = std::move(tokens_);
    return std::move(program_);
  }

 private:
  const SubgraphNode& source(const SubgraphNode::Input& input) const { return subgraph_.nodes[input.node]; }

  void add_frames() {
    for (const Frame& frame : frames_.all) {
      DataflowFrame& added = tokens_->frames.emplace_back();
      added.name = frame.name;
      added.parent = frame.parent;
      added.enters = frame.enters;
      if (frame.parent >= 0) added.child_place = tokens_->frames[frame.parent].children++;
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
    std::shared_ptr<Kernel> kernel;
    std::shared_ptr<const NodeInfo> info = node.info;
    if (node.values) {
      info = known_values_node(*node.info);
      kernel = known_values_kernel(*node.values);
    } else {
      auto made = kernels_(node);
      if (!made.ok()) return made.status().at_node(node.info->name);
      kernel = made.take();
    }
    places_[index] = static_cast<int32_t>(program_.nodes.size());
    DataflowNode& token = tokens_->nodes.emplace_back();
    token.kind = node.control_flow();
    token.frame = frames_.of[index];
    DataflowFrame& frame = tokens_->frames[token.frame];
    token.place = static_cast<int32_t>(frame.nodes.size());
    frame.nodes.push_back(places_[index]);
    token.enters = frames_.of_outputs[index];
    if (token.kind == ControlFlow::kEnter) {
      token.is_constant = is_constant_enter(node);
      const auto* at_once = info->attrs.get<int64_t>("parallel_iterations");
      if (at_once != nullptr) token.at_once = *at_once;
    }
    token.slots_begin = frame.slot_count;

    PlanNode& planned = program_.nodes.emplace_back();
    planned.info = info.get();
    planned.kernel = kernel.get();
    program_.may_wait |= kernel->is_async();
    planned.first_input = static_cast<int32_t>(program_.input_slots.size());
    planned.derefs_begin = static_cast<int32_t>(program_.derefs.size());
    const std::vector<SubgraphNode::Input>& inputs = inputs_[index];
    frame.slot_count += static_cast<int32_t>(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      TINYTF_RETURN_IF_ERROR(add_input(planned, token, frame, inputs[i], i));
    }
    planned.derefs_end = static_cast<int32_t>(program_.derefs.size());
    planned.first_output = frame.slot_count;
    frame.slot_count += planned.num_outputs();
    add_snapshots(index, planned, frame);
    token.slots_end = frame.slot_count;
    program_.infos.push_back(std::move(info));
    program_.kernels.push_back(std::move(kernel));
    return Status();
  }

  Status add_input(PlanNode& planned, const DataflowNode& token, DataflowFrame& frame, const SubgraphNode::Input& input,
                   size_t i) {
    const NodeInfo& info = *planned.info;
    int32_t slot = token.slots_begin + static_cast<int32_t>(i);
    const bool is_ref = !source(input).fed(input.output) && source(input).info->outputs[input.output].is_ref;
    planned.takes_state |= info.inputs[i].dtype == DType::kResource || takes_reference(info, i);
    if (!is_ref && takes_reference(info, i)) return no_reference(info, i, source(input), input.output, feeds_, false);
    if (is_ref && !takes_reference(info, i)) {
      program_.derefs.push_back({slot, frame.slot_count, source(input).info.get(), input.output});
      slot = frame.slot_count++;
    } else if (is_ref && !info.op->allows_uninitialized_input) {
      program_.derefs.push_back({slot, -1, source(input).info.get(), input.output});
    }
    program_.input_slots.push_back(slot);
    return Status();
  }

  /// Gives each fetched reference a slot for its snapshot, after the node's outputs; see NodeRun::take_snapshots.
  void add_snapshots(int index, PlanNode& planned, DataflowFrame& frame) {
    planned.snapshots_begin = static_cast<int32_t>(program_.snapshots.size());
    for (const int fetch : fetched_references_[index]) {
      const int output = subgraph_.fetches[fetch].output;
      snapshots_[fetch] = frame.slot_count - planned.first_output;
      program_.snapshots.push_back({planned.first_output + output, frame.slot_count++, planned.info, output});
    }
    planned.snapshots_end = static_cast<int32_t>(program_.snapshots.size());
  }

  /// Collects the edges from each producer.
  void add_edges() {
    std::vector<std::vector<DataflowEdge>> of_node(program_.nodes.size()), of_feed(feeds_.size());
    std::vector<std::vector<DataflowEdge>> of_known(subgraph_.nodes.size());
    const auto send = [&](const SubgraphNode::Input& from, DataflowEdge edge) {
      edge.output = from.output;
      if (source(from).fed(from.output)) {
        of_feed[source(from).feeds[from.output]].push_back(edge);
      } else if (places_[from.node] >= 0) {
        of_node[places_[from.node]].push_back(edge);
      } else {
        of_known[from.node].push_back(edge);
      }
    };
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      if (places_[i] < 0) continue;
      DataflowNode& token = tokens_->nodes[places_[i]];
      for (size_t k = 0; k < inputs_[i].size(); ++k) {
        send(inputs_[i][k], {0, places_[i], token.slots_begin + static_cast<int32_t>(k)});
      }
      token.data_inputs = static_cast<int32_t>(inputs_[i].size());
      for (const int control : subgraph_.nodes[i].control_inputs) {
        if (places_[control] < 0) continue;
        of_node[places_[control]].push_back({DataflowEdge::kControl, places_[i], 0});
        ++token.control_inputs;
      }
    }
    for (size_t f = 0; f < subgraph_.fetches.size(); ++f) {
      const DataflowEdge edge{snapshots_[f], DataflowEdge::kFetch, static_cast<int32_t>(f)};
      if (snapshots_[f] >= 0) {
        of_node[places_[subgraph_.fetches[f].node]].push_back(edge);
      } else {
        send(subgraph_.fetches[f], edge);
      }
    }
    const auto put = [this](const std::vector<DataflowEdge>& edges, int32_t* begin, int32_t* end) {
      *begin = static_cast<int32_t>(tokens_->edges.size());
      tokens_->edges.insert(tokens_->edges.end(), edges.begin(), edges.end());
      *end = static_cast<int32_t>(tokens_->edges.size());
    };
    for (size_t n = 0; n < of_node.size(); ++n)
      put(of_node[n], &tokens_->nodes[n].edges_begin, &tokens_->nodes[n].edges_end);
    for (size_t f = 0; f < of_feed.size(); ++f)
      put(of_feed[f], &tokens_->feeds[f].edges_begin, &tokens_->feeds[f].edges_end);
    for (size_t i = 0; i < of_known.size(); ++i) {
      for (const DataflowEdge& edge : of_known[i]) {
        DataflowSource& constant = tokens_->constants.emplace_back();
        constant.value = (*subgraph_.nodes[i].values)[edge.output];
        put({edge}, &constant.edges_begin, &constant.edges_end);
      }
    }
  }

  const Subgraph& subgraph_;
  const Frames& frames_;
  const std::vector<Endpoint>& feeds_;
  KernelSource kernels_;
  Program program_;
  std::shared_ptr<DataflowProgram> tokens_;
  // By node of the subgraph: index in the program; -1: it does not run.
  std::vector<int32_t> places_;
  std::vector<std::vector<SubgraphNode::Input>> inputs_;  // By node of the subgraph, back edges included.
  std::vector<std::vector<int>> fetched_references_;      // By node of the subgraph: fetches.
  // By fetch: index of its copy, counted as an output; -1: it is not a reference.
  std::vector<int32_t> snapshots_;
};

}  // namespace

Result<Program> build_dataflow_program(const Subgraph& subgraph, const std::vector<Endpoint>& feeds,
                                       KernelSource kernels, std::string why_not_code) {
  TINYTF_ASSIGN_OR_RETURN(const Frames frames, find_frames(subgraph));
  return DataflowProgramBuilder(subgraph, frames, feeds, kernels, std::move(why_not_code)).build();
}

}  // namespace tinytf
