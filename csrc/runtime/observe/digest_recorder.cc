#include "runtime/observe/digest_recorder.h"

#include "op/kernel.h"
#include "tensor/digest.h"

namespace tinytf {

namespace {

NodeDigest::Value describe_value(const Tensor& tensor) {
  if (!tensor.valid()) return {};
  return {digest(tensor), tensor.dtype(), tensor.shape(),
          dtype_size(tensor.dtype()) == 0 ? ValueRange() : value_range(tensor)};
}

/// Reads a reference's value under the variable's lock, since other threads may write to it.
NodeDigest::Value describe_value(const Tensor& tensor, RefVariable* variable) {
  if (variable == nullptr) return describe_value(tensor);
  std::lock_guard lock(variable->mutex);
  return describe_value(variable->tensor);
}

}  // namespace

Status DigestRecorder::after(const KernelContext& ctx, int64_t, const Iterations& iterations) {
  NodeDigest record;
  record.node = ctx.node().name;
  record.iterations = iterations.to_string();
  bool all_finite = true;
  for (int i = 0; i < ctx.num_outputs(); ++i) {
    record.outputs.push_back(describe_value(ctx.output(i).tensor, ctx.output(i).ref));
    const ValueRange& range = record.outputs.back().range;
    all_finite = all_finite && range.nans == 0 && range.infinities == 0;
  }
  if (notes_inputs_ && !all_finite) {
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      record.inputs.push_back(describe_value(ctx.input(i), ctx.input_variable(i)));
    }
  }
  if (keeps_readings_ && ctx.node().op->has(Trait::kReadsExternalState)) {
    for (int i = 0; i < ctx.num_outputs(); ++i) record.kept.push_back(ctx.output(i).tensor);
  }
  std::lock_guard lock(mutex_);
  nodes_.push_back(std::move(record));
  return Status();
}

std::vector<NodeDigest> DigestRecorder::take() {
  std::lock_guard lock(mutex_);
  return std::move(nodes_);
}

}  // namespace tinytf
