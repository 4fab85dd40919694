#pragma once

#include <cstdint>

#include "base/status.h"
#include "op/iterations.h"

namespace tinytf {

class KernelContext;

/// Observes the nodes of a step, each right after it ran without error and while its inputs still exist. Called on the
/// thread that ran the node, so by several threads concurrently. Must outlive the step.
class NodeObserver {
 public:
  virtual ~NodeObserver() = default;
  /// `start_ns` is the steady-clock time at which the node began; 0 unless `wants_times`. An error fails the step.
  virtual Status after(const KernelContext& ctx, int64_t start_ns, const Iterations& iterations) = 0;
  /// Whether `start_ns` is used: reading the clock takes as long as a small node.
  virtual bool wants_times() const { return false; }
  /// Whether inputs must keep their values, so that no kernel computes in place.
  virtual bool keeps_inputs() const { return false; }
};

}  // namespace tinytf
