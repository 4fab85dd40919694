#pragma once

#include "op/node_observer.h"
#include "tensor/tensor.h"

namespace tinytf {

class Plan;

/// Ends a step at the first node that yields a NaN or an infinity: InvalidArgument with the node's name, what it
/// yielded and the ranges of what it was given. Watches float, double, half, bfloat16 and complex values; a reference
/// output is the variable's value. Variables, and nodes that hand an input on as it is, are not looked at: whoever
/// computes with the value is blamed.
class NanWatch final : public NodeObserver {
 public:
  explicit NanWatch(bool infinities) : infinities_(infinities) {}
  /// To be asked before a step: its error for what was computed when the plan was made, and so will not run.
  Status folded_nodes(Plan& plan);
  Status after(const KernelContext& ctx, int64_t start_ns, const Iterations& iterations) override;
  bool keeps_inputs() const override { return true; }

 private:
  /// An error that names output i, unless it holds only what is not watched for.
  Status blame(const KernelContext& ctx, int i, const Tensor& output) const;

  const bool infinities_;
};

}  // namespace tinytf
