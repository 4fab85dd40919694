#pragma once

#include "op/node_observer.h"

namespace tinytf {

/// Ends a step at the first node that yields a NaN or an infinity: InvalidArgument with the node's name, what it
/// yielded and the ranges of what it was given. Watches float, double, half, bfloat16 and complex values; a reference
/// output is the variable's value. Nodes whose op only holds or feeds values (variables, constants) are not blamed.
class NanWatch final : public NodeObserver {
 public:
  explicit NanWatch(bool infinities) : infinities_(infinities) {}
  Status after(const KernelContext& ctx, int64_t start_ns) override;
  bool keeps_inputs() const override { return true; }

 private:
  const bool infinities_;
};

}  // namespace tinytf
