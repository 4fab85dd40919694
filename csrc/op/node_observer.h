#pragma once

#include <cstdint>

#include "base/status.h"
#include "op/iterations.h"

namespace tinytf {

class KernelContext;

/// Looks at the nodes of a step, one by one, right after each has run without error and while its inputs are still
/// there. Called on whichever thread ran the node, so by several at a time; must outlive the step.
class NodeObserver {
 public:
  virtual ~NodeObserver() = default;
  /// `start_ns` is the steady clock's time when the node began, 0 if nobody wants times. An error fails the step.
  virtual Status after(const KernelContext& ctx, int64_t start_ns, const Iterations& iterations) = 0;
  /// Whether `start_ns` is looked at: reading the clock takes as long as a small node.
  virtual bool wants_times() const { return false; }
  /// Whether inputs must keep their values: no kernel computes in place then.
  virtual bool keeps_inputs() const { return false; }
};

}  // namespace tinytf
