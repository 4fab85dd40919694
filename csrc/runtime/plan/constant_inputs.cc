#include "runtime/plan/constant_inputs.h"

namespace tinytf {

void note_constant_inputs(const Program& program) {
  if (program.tokens != nullptr) return;  // Slots of dataflow programs are numbered by frame.
  std::vector<bool> is_constant(program.slot_count);
  for (const auto& [slot, value] : program.constants) is_constant[slot] = true;
  for (const PlanNode& node : program.nodes) {
    if (node.info->op->is_stateful) continue;
    for (int i = 0; i < node.num_inputs(); ++i) {
      if (is_constant[program.input_slots[node.first_input + i]]) node.kernel->note_constant_input(i);
    }
  }
}

}  // namespace tinytf
