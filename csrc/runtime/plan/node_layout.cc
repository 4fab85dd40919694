#include "runtime/plan/node_layout.h"

#include <algorithm>
#include <utility>

#include "runtime/plan/build_parts.h"
#include "tensor/finite.h"

namespace tinytf {

namespace {

template <class T>
int32_t size_of(const std::vector<T>& items) {
  return static_cast<int32_t>(items.size());
}

}  // namespace

NodeLayout::NodeLayout(const Subgraph& subgraph, const std::vector<Endpoint>& feeds, KernelSource kernels,
                       bool is_partial, Program& program)
    : subgraph_(subgraph),
      feeds_(feeds),
      kernels_(kernels),
      is_partial_(is_partial),
      program_(program),
      snapshots_(subgraph.fetches.size(), -1) {
  for (Endpoint e : feeds) program.feed_types.push_back(e.node->info->outputs[e.index].dtype);
  program.feed_slots.assign(feeds.size(), -1);
  for (size_t f = 0; f < subgraph.fetches.size(); ++f) {
    if (!subgraph.is_ref(subgraph.fetches[f])) continue;
    fetched_references_.resize(subgraph.nodes.size());
    fetched_references_[subgraph.fetches[f].node].push_back(f);
  }
}

Result<std::shared_ptr<Kernel>> NodeLayout::make_kernel(const SubgraphNode& node) {
  if (node.values) return known_values_kernel(*node.values);
  auto kernel = kernels_(node);
  if (!kernel.ok()) return kernel.status().at_node(node.info->name);
  program_.may_wait |= kernel.value()->is_async();
  return kernel;
}

Status NodeLayout::add(int index, std::shared_ptr<Kernel> kernel, const std::vector<Input>& inputs,
                       int32_t first_output, SlotOf slot_of, NewSlot new_slot) {
  const SubgraphNode& node = subgraph_.nodes[index];
  std::shared_ptr<const NodeInfo> info = node.values ? known_values_node(*node.info) : node.info;
  PlanNode& planned = program_.nodes.emplace_back();
  planned.info = info.get();
  planned.kernel = kernel.get();
  planned.first_input = size_of(program_.input_slots);
  planned.first_output = first_output;
  program_.infos.push_back(std::move(info));
  program_.kernels.push_back(std::move(kernel));
  planned.derefs_begin = size_of(program_.derefs);
  const auto& declared = planned.info->op->inputs;
  const bool may_take = std::any_of(declared.begin(), declared.end(), [](const ArgDef& arg) { return arg.is_ref; });
  for (size_t i = 0; i < planned.info->inputs.size(); ++i) {
    const int32_t slot = slot_of(inputs[i]);
    if (may_take || planned.info->inputs[i].dtype == DType::kResource || subgraph_.is_ref(inputs[i])) {
      TINYTF_RETURN_IF_ERROR(add_state_input(planned, i, inputs[i], slot, new_slot));
    } else {
      program_.input_slots.push_back(slot);
    }
  }
  planned.derefs_end = size_of(program_.derefs);
  add_snapshots(index, planned, new_slot);
  planned.is_plain = planned.derefs_begin == planned.derefs_end && planned.snapshots_begin == planned.snapshots_end;
  return Status();
}

Status NodeLayout::add_state_input(PlanNode& planned, size_t i, const Input& input, int32_t slot, NewSlot new_slot) {
  const NodeInfo& info = *planned.info;
  const NodeInfo* const source = subgraph_.source(input).info.get();
  const bool takes_it = takes_reference(info, i);
  planned.takes_state |= takes_it || info.inputs[i].dtype == DType::kResource;
  if (!subgraph_.is_ref(input)) {
    if (takes_it) return no_reference(info, i, subgraph_.source(input), input.output, feeds_, is_partial_);
  } else if (!takes_it) {
    const int32_t value = new_slot();
    program_.derefs.push_back({slot, value, source, input.output});
    slot = value;
  } else if (!info.op->allows_uninitialized_input) {
    program_.derefs.push_back({slot, -1, source, input.output});
  }
  program_.input_slots.push_back(slot);
  return Status();
}

/// A copy is made right after the node, because later nodes may change the variable.
void NodeLayout::add_snapshots(int index, PlanNode& planned, NewSlot new_slot) {
  planned.snapshots_begin = size_of(program_.snapshots);
  if (!fetched_references_.empty()) {
    for (const size_t fetch : fetched_references_[index]) {
      const int output = subgraph_.fetches[fetch].output;
      snapshots_[fetch] = new_slot();
      program_.snapshots.push_back({planned.first_output + output, snapshots_[fetch], planned.info, output});
    }
  }
  planned.snapshots_end = size_of(program_.snapshots);
}

bool NodeLayout::is_not_finite(const SubgraphNode& node) {
  return !node.removed && node.values && node.control_inputs.empty() && !node.info->op->has(Trait::kConstant) &&
         !std::all_of(node.values->begin(), node.values->end(), all_finite);
}

void NodeLayout::add_not_finite(const SubgraphNode& node, int32_t first_output, SlotOf slot_of) {
  PlanNode& folded = program_.not_finite.emplace_back();
  folded.info = node.info.get();
  folded.first_input = size_of(program_.input_slots);
  folded.first_output = first_output;
  program_.infos.push_back(node.info);
  for (const Input& input : node.inputs) program_.input_slots.push_back(slot_of(input));
}

}  // namespace tinytf
