#include <utility>

#include "graph/passes/frames.h"
#include "runtime/plan/bytecode.h"
#include "runtime/plan/dataflow_program.h"
#include "runtime/plan/node_layout.h"

namespace tinytf {

namespace {

class ProgramBuilder {
 public:
  ProgramBuilder(const Subgraph& subgraph, const std::vector<Endpoint>& feeds, KernelSource kernels, bool is_partial)
      : subgraph_(subgraph),
        layout_(subgraph, feeds, kernels, is_partial, program_),
        first_slot_(subgraph.nodes.size()),
        places_(subgraph.nodes.size(), -1) {}

  Result<Program> build() {
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      if (!subgraph_.nodes[i].removed) TINYTF_RETURN_IF_ERROR(add(static_cast<int>(i)));
    }
    for (size_t f = 0; f < subgraph_.fetches.size(); ++f) {
      const int32_t snapshot = layout_.snapshot_of(f);
      program_.fetch_slots.push_back(snapshot >= 0 ? snapshot : slot_of(subgraph_.fetches[f]));
    }
    find_lifetimes(program_);
    make_units(program_, waits());
    return std::move(program_);
  }

 private:
  int32_t slot_of(const SubgraphNode::Input& input) const {
    if (subgraph_.fed(input)) return program_.feed_slots[subgraph_.source(input).feeds[input.output]];
    return first_slot_[input.node] + input.output;
  }

  Status add(int index) {
    const SubgraphNode& node = subgraph_.nodes[index];
    const auto slot_of_input = [this](const SubgraphNode::Input& input) { return slot_of(input); };
    const int32_t first_slot = first_slot_[index] = program_.slot_count;
    program_.slot_count += static_cast<int32_t>(node.info->outputs.size());
    for (size_t output = 0; output < node.feeds.size(); ++output) {
      if (node.feeds[output] >= 0) program_.feed_slots[node.feeds[output]] = program_.slot_count++;
    }
    if (!node.runs()) {
      for (size_t output = 0; output < node.values->size(); ++output) {
        program_.constants.emplace_back(first_slot + static_cast<int32_t>(output), (*node.values)[output]);
      }
      if (NodeLayout::is_not_finite(node)) layout_.add_not_finite(node, first_slot, slot_of_input);
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(std::shared_ptr<Kernel> kernel, layout_.make_kernel(node));
    places_[index] = static_cast<int32_t>(program_.nodes.size());
    return layout_.add(index, std::move(kernel), node.inputs, first_slot, slot_of_input,
                       [this] { return program_.slot_count++; });
  }

  /// Dependencies between nodes, as make_units takes them: sorted by the waiting node.
  std::vector<std::pair<int32_t, int32_t>> waits() const {
    std::vector<std::pair<int32_t, int32_t>> waits;
    const auto wait = [&](int source, int32_t waiter) {
      if (places_[source] >= 0) waits.emplace_back(places_[source], waiter);
    };
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      const int32_t waiter = places_[i];
      if (waiter < 0) continue;
      const SubgraphNode& node = subgraph_.nodes[i];
      for (const auto& input : node.inputs) {
        if (!subgraph_.fed(input)) wait(input.node, waiter);
      }
      for (int control : node.control_inputs) wait(control, waiter);
    }
    return waits;
  }

  const Subgraph& subgraph_;
  Program program_;
  NodeLayout layout_;
  std::vector<int32_t> first_slot_;  // By node of the subgraph.
  // By node of the subgraph: index in the program; -1: it does not run.
  std::vector<int32_t> places_;
};

}  // namespace

Result<Program> build_program(const Subgraph& subgraph, const std::vector<Endpoint>& feeds, KernelSource kernels,
                              bool is_partial, bool compiles) {
  if (has_control_flow(subgraph)) {
    std::string why_not = "RewriterConfig.loop_optimization is OFF";
    if (compiles || is_partial) {
      Result<Program> compiled = build_bytecode(subgraph, feeds, kernels, is_partial);
      if (compiled.ok() || compiled.status().code() != Code::kUnimplemented) return compiled;
      why_not = compiled.status().message();
    }
    if (is_partial) {
      return unimplemented("Partial runs do not support branches or loops of this form: ", why_not);
    }
    return build_dataflow_program(subgraph, feeds, kernels, std::move(why_not));
  }
  return ProgramBuilder(subgraph, feeds, kernels, is_partial).build();
}

}  // namespace tinytf
