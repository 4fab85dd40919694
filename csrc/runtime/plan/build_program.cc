#include <algorithm>
#include <utility>

#include "graph/passes/frames.h"
#include "runtime/plan/build_parts.h"
#include "runtime/plan/bytecode.h"
#include "runtime/plan/dataflow_program.h"
#include "tensor/finite.h"

namespace tinytf {

namespace {

class ProgramBuilder {
 public:
  ProgramBuilder(const Subgraph& subgraph, const std::vector<Endpoint>& feeds, KernelSource kernels, bool is_partial)
      : subgraph_(subgraph),
        feeds_(feeds),
        kernels_(kernels),
        is_partial_(is_partial),
        first_slot_(subgraph.nodes.size()),
        places_(subgraph.nodes.size(), -1) {
    program_.feed_slots.assign(feeds.size(), -1);
    for (Endpoint e : feeds) program_.feed_types.push_back(e.node->info->outputs[e.index].dtype);
  }

  Result<Program> build() {
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      if (!subgraph_.nodes[i].removed) TINYTF_RETURN_IF_ERROR(add(static_cast<int>(i)));
    }
    for (const auto& fetch : subgraph_.fetches) add_fetch(fetch);
    program_.slot_count = slot_count_;
    find_lifetimes(program_, std::move(snapshots_));
    make_units(program_, waits());
    return std::move(program_);
  }

 private:
  int32_t slot_of(const SubgraphNode::Input& input) const {
    const SubgraphNode& source = subgraph_.nodes[input.node];
    if (source.fed(input.output)) return program_.feed_slots[source.feeds[input.output]];
    return first_slot_[input.node] + input.output;
  }

  bool is_ref(const SubgraphNode::Input& input) const {
    const SubgraphNode& source = subgraph_.nodes[input.node];
    return !source.fed(input.output) && source.info->outputs[input.output].is_ref;
  }

  Status add(int index) {
    const SubgraphNode& node = subgraph_.nodes[index];
    first_slot_[index] = slot_count_;
    slot_count_ += static_cast<int32_t>(node.info->outputs.size());
    for (size_t output = 0; output < node.feeds.size(); ++output) {
      if (node.feeds[output] >= 0) program_.feed_slots[node.feeds[output]] = slot_count_++;
    }
    if (node.values && !node.control_inputs.empty()) {
      add_known(node, index);
      return Status();
    }
    if (node.values) {
      for (size_t output = 0; output < node.values->size(); ++output) {
        program_.constants.emplace_back(first_slot_[index] + static_cast<int32_t>(output), (*node.values)[output]);
      }
      if (!node.info->op->has(Trait::kConstant) && !std::all_of(node.values->begin(), node.values->end(), all_finite)) {
        add_not_finite(node, first_slot_[index]);
      }
      return Status();
    }
    auto kernel = kernels_(node);
    if (!kernel.ok()) return kernel.status().at_node(node.info->name);
    PlanNode& planned = add_node(index, node.info, kernel.take());
    program_.may_wait |= planned.kernel->is_async();
    const auto& declared = planned.info->op->inputs;
    const bool takes_references =
        std::any_of(declared.begin(), declared.end(), [](const ArgDef& arg) { return arg.is_ref; });
    planned.takes_state = takes_references;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      int32_t slot = slot_of(node.inputs[i]);
      planned.takes_state |= planned.info->inputs[i].dtype == DType::kResource;
      if (!is_ref(node.inputs[i])) {
        if (takes_references && takes_reference(*node.info, i)) {
          const auto& input = node.inputs[i];
          return no_reference(*node.info, i, subgraph_.nodes[input.node], input.output, feeds_, is_partial_);
        }
      } else {
        if (!takes_reference(*node.info, i)) {
          program_.derefs.push_back(
              {slot, slot_count_, subgraph_.nodes[node.inputs[i].node].info.get(), node.inputs[i].output});
          slot = slot_count_++;
        } else if (!planned.info->op->allows_uninitialized_input) {
          program_.derefs.push_back({slot, -1, subgraph_.nodes[node.inputs[i].node].info.get(), node.inputs[i].output});
        }
      }
      program_.input_slots.push_back(slot);
    }
    planned.derefs_end = static_cast<int32_t>(program_.derefs.size());
    return Status();
  }

  PlanNode& add_node(int index, std::shared_ptr<const NodeInfo> info, std::shared_ptr<Kernel> kernel) {
    places_[index] = static_cast<int32_t>(program_.nodes.size());
    PlanNode& planned = program_.nodes.emplace_back();
    planned.info = info.get();
    planned.kernel = kernel.get();
    planned.first_output = first_slot_[index];
    planned.first_input = static_cast<int32_t>(program_.input_slots.size());
    planned.derefs_begin = planned.derefs_end = static_cast<int32_t>(program_.derefs.size());
    program_.infos.push_back(std::move(info));
    program_.kernels.push_back(std::move(kernel));
    return planned;
  }

  /// Adds a node with known values and control inputs, which its consumers have to wait for.
  void add_known(const SubgraphNode& node, int index) {
    add_node(index, known_values_node(*node.info), known_values_kernel(*node.values));
  }

  /// Adds a folded node with NaN or infinity, for the NaN watch.
  void add_not_finite(const SubgraphNode& node, int32_t first_output) {
    PlanNode& folded = program_.not_finite.emplace_back();
    folded.info = node.info.get();
    program_.infos.push_back(node.info);
    folded.first_input = static_cast<int32_t>(program_.input_slots.size());
    folded.first_output = first_output;
    for (const auto& input : node.inputs) program_.input_slots.push_back(slot_of(input));
  }

  void add_fetch(const SubgraphNode::Input& fetch) {
    int32_t slot = slot_of(fetch);
    if (is_ref(fetch)) {
      snapshots_.push_back(
          {places_[fetch.node], {slot, slot_count_, subgraph_.nodes[fetch.node].info.get(), fetch.output}});
      slot = slot_count_++;
    }
    program_.fetch_slots.push_back(slot);
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
        if (!subgraph_.nodes[input.node].fed(input.output)) wait(input.node, waiter);
      }
      for (int control : node.control_inputs) wait(control, waiter);
    }
    return waits;
  }

  const Subgraph& subgraph_;
  const std::vector<Endpoint>& feeds_;
  KernelSource kernels_;
  const bool is_partial_;
  Program program_;
  std::vector<int32_t> first_slot_;  // By node of the subgraph.
  // By node of the subgraph: index in the program; -1: it does not run.
  std::vector<int32_t> places_;
  std::vector<std::pair<int32_t, Deref>> snapshots_;  // By node of the program.
  int32_t slot_count_ = 0;
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
