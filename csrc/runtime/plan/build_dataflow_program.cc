#include <utility>

#include "graph/passes/frames.h"
#include "runtime/plan/dataflow_program.h"
#include "runtime/plan/node_layout.h"

namespace tinytf {

namespace {

class DataflowProgramBuilder {
 public:
  DataflowProgramBuilder(const Subgraph& subgraph, const Frames& frames, const std::vector<Endpoint>& feeds,
                         KernelSource kernels, std::string why_not_code)
      : subgraph_(subgraph),
        frames_(frames),
        layout_(subgraph, feeds, kernels, /*is_partial=*/false, program_),
        tokens_(std::make_shared<DataflowProgram>()),
        places_(subgraph.nodes.size(), -1),
        inputs_(subgraph.nodes.size()) {
    tokens_->why_not_code = std::move(why_not_code);
    tokens_->feeds.resize(feeds.size());
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
    }
    program_.fetch_slots.assign(subgraph_.fetches.size(), -1);
    program_.tokens = std::move(tokens_);
    return std::move(program_);
  }

 private:
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
    TINYTF_ASSIGN_OR_RETURN(std::shared_ptr<Kernel> kernel, layout_.make_kernel(node));
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
    std::vector<std::vector<DataflowEdge>> of_node(program_.nodes.size()), of_feed(tokens_->feeds.size());
    std::vector<std::vector<DataflowEdge>> of_known(subgraph_.nodes.size());
    const auto send = [&](const SubgraphNode::Input& from, DataflowEdge edge) {
      edge.output = from.output;
      if (subgraph_.fed(from)) {
        of_feed[subgraph_.source(from).feeds[from.output]].push_back(edge);
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
      const auto number = static_cast<int32_t>(f);
      const int32_t snapshot = layout_.snapshot_of(f);
      if (snapshot < 0) {
        send(subgraph_.fetches[f], {0, DataflowEdge::kFetch, number});
      } else {  // The copy of a reference counts as another output.
        const int32_t place = places_[subgraph_.fetches[f].node];
        of_node[place].push_back({snapshot - program_.nodes[place].first_output, DataflowEdge::kFetch, number});
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
  Program program_;
  NodeLayout layout_;
  std::shared_ptr<DataflowProgram> tokens_;
  // By node of the subgraph: index in the program; -1: it does not run.
  std::vector<int32_t> places_;
  std::vector<std::vector<SubgraphNode::Input>> inputs_;  // By node of the subgraph, back edges included.
};

}  // namespace

Result<Program> build_dataflow_program(const Subgraph& subgraph, const std::vector<Endpoint>& feeds,
                                       KernelSource kernels, std::string why_not_code) {
  TINYTF_ASSIGN_OR_RETURN(const Frames frames, find_frames(subgraph));
  return DataflowProgramBuilder(subgraph, frames, feeds, kernels, std::move(why_not_code)).build();
}

}  // namespace tinytf
