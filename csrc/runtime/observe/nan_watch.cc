#include "runtime/observe/nan_watch.h"

#include <vector>

#include "base/str_cat.h"
#include "op/kernel.h"
#include "runtime/plan/plan.h"
#include "tensor/finite.h"

namespace tinytf {

namespace {

/// The value of a slot; for a reference, the variable's current value. Invalid if there is none.
Tensor value_of(const Tensor& tensor, RefVariable* variable) {
  if (variable == nullptr) return tensor;
  std::lock_guard lock(variable->mutex);
  return variable->tensor;
}

std::string describe(const Tensor& tensor) {
  if (!tensor.valid()) return "no value";
  const std::string kind = str_cat(dtype_name(tensor.dtype()), " ", tensor.shape().to_string());
  return dtype_size(tensor.dtype()) == 0 ? kind : str_cat(kind, " ", value_range(tensor).summary());
}

std::string describe_inputs(const KernelContext& ctx) {
  if (ctx.num_inputs() == 0) return "It has no inputs.";
  constexpr int kMost = 8;
  std::string text = "Its inputs:";
  for (int i = 0; i < ctx.num_inputs() && i < kMost; ++i) {
    text += str_cat(i == 0 ? " " : "; ", describe(value_of(ctx.input(i), ctx.input_variable(i))));
  }
  if (ctx.num_inputs() > kMost) text += str_cat("; and ", ctx.num_inputs() - kMost, " more");
  return text + ".";
}

/// Whether the output is an input that was passed on unchanged.
bool is_handed_on(const KernelContext& ctx, const Tensor& output) {
  for (int i = 0; i < ctx.num_inputs(); ++i) {
    const Tensor& input = ctx.input(i);
    if (input.raw() == output.raw() && input.bytes() == output.bytes() && input.dtype() == output.dtype()) return true;
  }
  return false;
}

}  // namespace

Status NanWatch::blame(const KernelContext& ctx, int i, const Tensor& output) const {
  const ValueRange range = value_range(output);
  if (range.nans == 0 && !infinities_) return Status();
  return invalid_argument("NaN watch: the first ", range.nans > 0 ? "NaN" : "Inf", " comes from {{node ",
                          ctx.node().name, "}}of type ", ctx.node().op->name, ": output ", i, " is ", describe(output),
                          ". ", describe_inputs(ctx));
}

Status NanWatch::folded_nodes(Plan& plan) {
  if (plan.program().not_finite.empty()) return Status();
  auto memory = plan.take_slots();  // Has the constants in place.
  Slot* const slots = memory->slots.data();
  const KernelServices none;
  Status status;
  for (const PlanNode& node : plan.program().not_finite) {
    const KernelContext ctx(*node.info, none, slots, plan.program().input_slots.data() + node.first_input,
                            slots + node.first_output, /*last_use=*/0);
    status = after(ctx, 0, {});
    if (status.ok()) continue;
    status = status.at_node(node.info->name);
    break;
  }
  plan.return_slots(std::move(memory));
  return status;
}

Status NanWatch::after(const KernelContext& ctx, int64_t, const Iterations&) {
  for (int i = 0; i < ctx.num_outputs(); ++i) {
    const Slot& output = ctx.output(i);
    if (output.ref == nullptr) {
      if (!output.tensor.valid() || is_handed_on(ctx, output.tensor) || all_finite(output.tensor)) continue;
      TINYTF_RETURN_IF_ERROR(blame(ctx, i, output.tensor));
    } else if (ctx.num_inputs() > 0) {
      std::unique_lock lock(output.ref->mutex);
      if (!output.ref->tensor.valid() || all_finite(output.ref->tensor)) continue;
      const Tensor value = output.ref->tensor;
      lock.unlock();
      TINYTF_RETURN_IF_ERROR(blame(ctx, i, value));
    }
  }
  return Status();
}

}  // namespace tinytf
