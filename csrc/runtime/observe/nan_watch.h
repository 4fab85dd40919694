#pragma once

#include "op/node_observer.h"
#include "tensor/tensor.h"

namespace tinytf {

class Plan;

/// Ends a step at the first node seen that yields a NaN or an infinity. `Session.watch_nan` switches it on. The
/// InvalidArgument error has the node's name, its output, and the value ranges of its inputs. Checks values of type
/// float, double, half, bfloat16 and complex; for a reference output, the variable's value. Variables, and nodes that
/// pass an input on unchanged, are not checked, so the node that computes with the value is blamed.
class NanWatch final : public NodeObserver {
 public:
  explicit NanWatch(bool infinities) : infinities_(infinities) {}
  /// Checks nodes that were folded at planning time and therefore do not run. To be called before a step.
  Status folded_nodes(Plan& plan);
  Status after(const KernelContext& ctx, int64_t start_ns, const Iterations& iterations) override;
  bool keeps_inputs() const override { return true; }

 private:
  /// The error that names output i; OK if the output has no values that are watched for.
  Status blame(const KernelContext& ctx, int i, const Tensor& output) const;

  const bool infinities_;
};

}  // namespace tinytf
