#include "runtime/plan/bytecode_slots.h"

#include "graph/constant_value.h"
#include "graph/passes/value_origins.h"

namespace tinytf {

BytecodeSlots::BytecodeSlots(const ControlStructure& control, SlotLiveness& uses, Program& program)
    : control_(control), uses_(uses), program_(program), is_variable_(loop_variables(control)) {
  const std::vector<SubgraphNode>& nodes = control.subgraph.nodes;
  silent_.resize(nodes.size());
  alias_.resize(nodes.size(), -1);
  first_.resize(nodes.size(), -1);
  for (size_t i = 0; i < nodes.size(); ++i) {  // Producers come first.
    if (nodes[i].runs()) assign(static_cast<int>(i), nodes[i]);
  }
}

void BytecodeSlots::assign(int index, const SubgraphNode& node) {
  switch (node.control_flow()) {
    case ControlFlow::kEnter:
      if (is_constant_enter(node)) alias_[index] = of(node.inputs[0]);
      return;
    case ControlFlow::kSwitch:
    case ControlFlow::kExit:
    case ControlFlow::kLoopCond:
    case ControlFlow::kNextIteration: return share(index, of(node.inputs[0]));
    case ControlFlow::kTrigger: silent_[index] = true; return;  // Only orders other nodes.
    case ControlFlow::kMerge: return assign_merge(index, node);
    case ControlFlow::kNone: break;
  }
  if (const Tensor* const value = node.values ? nullptr : attr_value(*node.info)) {
    return share(index, add_constant(*value));
  }
  // Pivots of branches and variables in loop bodies copy the output of a Switch.
  if (passes_switched_value(control_.subgraph, node) && !control_.subgraph.is_ref(node.inputs[0])) {
    return share(index, of(node.inputs[0]));
  }
  first_[index] = uses_.slot_count();
  for (size_t k = 0; k < node.info->outputs.size(); ++k)
    uses_.add_slot(control_.frames.of[index], control_.guards.of[index]);
}

void BytecodeSlots::assign_merge(int index, const SubgraphNode& node) {
  const int frame = control_.frames.of[index];
  if (is_variable_[index]) {
    share(index, uses_.add_slot(control_.frames.all[frame].parent, control_.guards.of_frames[frame]));
    uses_.note_variable(alias_[index], frame);
  } else if (const int only = control_.guards.merges[index].only; only >= 0) {
    share(index, of(node.inputs[static_cast<size_t>(only)]));
    known_[{index, 1}] = add_constant(Tensor::scalar(static_cast<int32_t>(only)));
  } else {
    first_[index] = uses_.add_slot(frame, control_.guards.of[index]);
    (void)uses_.add_slot(frame, control_.guards.of[index]);  // For the index output.
  }
}

void BytecodeSlots::share(int index, int32_t slot) {
  silent_[index] = true;
  alias_[index] = slot;
}

int32_t BytecodeSlots::add_constant(const Tensor& value) {
  const int32_t slot = uses_.add_slot(0, 0);
  uses_.keep(slot);
  program_.constants.emplace_back(slot, value);
  return slot;
}

int32_t BytecodeSlots::add_known(int node) {
  const std::vector<Tensor>& values = *control_.subgraph.nodes[node].values;
  const int32_t first = uses_.slot_count();
  for (size_t k = 0; k < values.size(); ++k) known_[{node, static_cast<int>(k)}] = add_constant(values[k]);
  return first;
}

int32_t BytecodeSlots::of(const SubgraphNode::Input& output) {
  const SubgraphNode& node = control_.subgraph.source(output);
  if (control_.subgraph.fed(output)) {
    int32_t& slot = program_.feed_slots[node.feeds[output.output]];
    if (slot < 0) slot = uses_.add_slot(0, 0);
    return slot;
  }
  if (node.values && node.control_inputs.empty()) {
    const auto [known, is_new] = known_.try_emplace({output.node, output.output}, -1);
    if (is_new) known->second = add_constant((*node.values)[output.output]);
    return known->second;
  }
  if (output.output == 1 && node.control_flow() == ControlFlow::kMerge &&
      control_.guards.merges[output.node].only >= 0) {
    return known_.at({output.node, 1});
  }
  return alias_[output.node] >= 0 ? alias_[output.node] : first_[output.node] + output.output;
}

}  // namespace tinytf
