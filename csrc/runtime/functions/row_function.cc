#include "runtime/functions/row_function.h"

#include <algorithm>
#include <vector>

#include "op/common_shapes.h"
#include "op/kernel_registry.h"

namespace tinytf {

namespace {

/// The value of a slot of a program whose first arguments are stacked rows.
enum class Form : uint8_t {
  kOther,    ///< a constant that is no scalar
  kScalar,   ///< the same scalar for all rows
  kRows,     ///< stacked rows of the shape of the arguments
  kOwnRows,  ///< stacked rows of a shape of its own
};

/// The form of the outputs of a kernel that maps rows.
Form outputs_of_rows(const PlanNode& node, const std::vector<Form>& inputs) {
  const auto is_stacked = [](Form form) { return form == Form::kRows || form == Form::kOwnRows; };
  const bool is_first =
      !inputs.empty() && is_stacked(inputs[0]) && std::none_of(inputs.begin() + 1, inputs.end(), is_stacked);
  return is_first && node.kernel->maps_rows() ? Form::kOwnRows : Form::kOther;
}

/// The form of the node's outputs. A scalar operand beside rows needs broadcasting.
Form outputs_of(const PlanNode& node, const Program& program, const std::vector<Form>& forms) {
  std::vector<Form> inputs;
  for (int i = 0; i < node.num_inputs(); ++i) {
    inputs.push_back(forms[static_cast<size_t>(program.input_slots[node.first_input + i])]);
  }
  const auto count = [&](Form form) { return std::count(inputs.begin(), inputs.end(), form); };
  const bool passes = node.num_inputs() == 1 && node.info->op->has(Trait::kPassesValue);
  const ElementwiseLoop loop = KernelRegistry::global().loop_of(*node.info);
  if (!passes && (!loop || loop.kind == ElementwiseLoop::kBias)) return outputs_of_rows(node, inputs);
  if (count(Form::kOther) > 0 || node.num_outputs() != 1) return Form::kOther;
  if (count(Form::kScalar) > 0 && node.info->op->shape_fn != shapes::broadcast_binary) return Form::kOther;
  if (count(Form::kOwnRows) > 0) return count(Form::kOwnRows) + count(Form::kRows) == 1 ? Form::kOwnRows : Form::kOther;
  return count(Form::kRows) > 0 ? Form::kRows : Form::kOther;
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
    const Form form = outputs_of(node, program, forms);
    if (form == Form::kOther) return false;
    std::fill_n(forms.begin() + node.first_output, node.num_outputs(), form);
  }
  for (const int32_t slot : program.fetch_slots) {
    if (slot < 0 || forms[static_cast<size_t>(slot)] < Form::kRows) return false;
  }
  return true;
}

}  // namespace tinytf
