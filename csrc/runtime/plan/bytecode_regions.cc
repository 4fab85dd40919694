#include "runtime/plan/bytecode_regions.h"

#include <utility>

namespace tinytf {

Status BytecodeRegions::build(int index) {
  TINYTF_ASSIGN_OR_RETURN(programs_[index], source_(*control_.subgraph.nodes[index].region));
  program_.may_wait |= may_wait(index);
  return Status();
}

Status BytecodeRegions::emit(int index, BytecodeWriter::Run& run) {
  const Subgraph& subgraph = control_.subgraph;
  Guards& guards = control_.guards;
  const SubgraphNode& node = subgraph.nodes[index];
  const int guard = guards.of[index];
  BytecodeRegion region;
  region.program = programs_.at(index);
  for (const SubgraphNode::Input& input : node.inputs) {
    const int live = guards.of_output(subgraph, input);
    if (subgraph.is_ref(input) && !guards.table.implied_by(live, guard)) {
      return unimplemented("{{node ", node.info->name, "}} reads a reference to a variable that may be dead");
    }
    const bool is_read = live != GuardTable::kNever;
    region.inputs.push_back(is_read ? take(slots_.of(input), live, index, run) : BytecodeRegion::Taken());
  }
  for (const int control : node.control_inputs) {
    const int live = subgraph.nodes[control].runs() ? guards.of_outputs[control] : GuardTable::kNever;
    const bool is_read = live != GuardTable::kNever;
    region.inputs.push_back(is_read ? take(true_slot(), live, index, run) : BytecodeRegion::Taken());
  }
  run.go_on(guard);
  for (const BytecodeRegion::Taken& input : region.inputs) {
    if (input.slot >= 0 && !input.is_own) {
      uses_.read_by_region(input.slot, writer_.here(), control_.frames.of[index]);
    }
  }
  add_outputs(index, region);
  writer_.emit(Instruction::kRegion, static_cast<int32_t>(code_.regions.size()));
  writer_.emit(Instruction::kClear);
  code_.regions.push_back(std::move(region));
  return Status();
}

/// The slot from which a region reads a value that has the guard `live`.
BytecodeRegion::Taken BytecodeRegions::take(int32_t slot, int live, int index, BytecodeWriter::Run& run) {
  if (control_.guards.table.implied_by(live, control_.guards.of[index])) return {slot, false};
  const int frame = control_.frames.of[index];
  const int32_t own = uses_.add_slot(frame, control_.guards.of[index]);
  uses_.keep(own);
  run.go_on(live);
  writer_.emit_move(slot, own, frame);
  return {own, true};
}

int32_t BytecodeRegions::true_slot() {
  if (true_slot_ < 0) {
    true_slot_ = uses_.add_slot(0, 0);
    uses_.keep(true_slot_);
    program_.constants.emplace_back(true_slot_, Tensor::scalar(true));
  }
  return true_slot_;
}

/// Adds the region's values and flags, in the order of its node's outputs.
void BytecodeRegions::add_outputs(int index, BytecodeRegion& region) {
  const Region& of = *control_.subgraph.nodes[index].region;
  int32_t slot = slots_.first_of(index);
  for (size_t k = 0; k < of.outputs.size(); ++k) {
    if (of.outputs[k].output != Region::kControl) region.outputs.push_back({k, slot++, false});
  }
  for (size_t k = 0; k < of.outputs.size() && !of.is_live; ++k) region.outputs.push_back({k, slot++, true});
}

}  // namespace tinytf
