#include "runtime/functions/row_function.h"

#include <vector>

#include "op/common_shapes.h"
#include "op/kernel_registry.h"

namespace tinytf {

namespace {

/// The value of a slot of a program whose first arguments are stacked rows.
enum class Form : uint8_t { kOther, kScalar, kRows };

/// The form of the node's output. A scalar operand beside rows needs broadcasting.
Form output_of(const PlanNode& node, const Program& program, const std::vector<Form>& forms) {
  int rows = 0, scalars = 0;
  for (int i = 0; i < node.num_inputs(); ++i) {
    const Form form = forms[static_cast<size_t>(program.input_slots[node.first_input + i])];
    rows += form == Form::kRows;
    scalars += form == Form::kScalar;
  }
  if (rows + scalars < node.num_inputs() || rows == 0 || node.num_outputs() != 1) return Form::kOther;
  const bool passes = node.num_inputs() == 1 && node.info->op->has(Trait::kPassesValue);
  const ElementwiseLoop loop = KernelRegistry::global().loop_of(*node.info);
  if (!passes && (!loop || loop.kind == ElementwiseLoop::kBias)) return Form::kOther;
  return scalars == 0 || node.info->op->shape_fn == shapes::broadcast_binary ? Form::kRows : Form::kOther;
}

}  // namespace

bool maps_rows(const Program& program, size_t row_arguments) {
  if (program.code != nullptr || program.tokens != nullptr || program.may_wait || !program.derefs.empty()) return false;
  std::vector<Form> forms(static_cast<size_t>(program.slot_count), Form::kOther);
  for (const auto& [slot, value] : program.constants) {
    if (value.rank() == 0) forms[static_cast<size_t>(slot)] = Form::kScalar;
  }
  for (size_t i = 0; i < program.feed_slots.size(); ++i) {
    const int32_t slot = program.feed_slots[i];
    if (slot >= 0) forms[static_cast<size_t>(slot)] = i < row_arguments ? Form::kRows : Form::kScalar;
  }
  for (const PlanNode& node : program.nodes) {
    const Form form = output_of(node, program, forms);
    if (form != Form::kRows) return false;
    forms[static_cast<size_t>(node.first_output)] = form;
  }
  for (const int32_t slot : program.fetch_slots) {
    if (slot < 0 || forms[static_cast<size_t>(slot)] != Form::kRows) return false;
  }
  return true;
}

}  // namespace tinytf
