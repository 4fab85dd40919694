#pragma once

#include <cstdint>

#include "base/function_ref.h"

namespace tinytf {

// No inline members: compiled with a kernel's flags, the linker could keep a copy that only some processors can run.

/// How a kernel asks for other threads; it never sees a pool. Implementations are thread-safe.
class Parallel {
 public:
  virtual ~Parallel();

  /// Upper bound of the ranges that can run at one time (the caller's thread counts).
  virtual int threads() const = 0;

  /// Calls body(begin, end) on disjoint ranges that cover [0, n), each a multiple of `block` long but the last, on the
  /// calling thread and maybe others; returns when all are done. `cost` is the estimated nanoseconds per item: small
  /// totals run as one range in place. Results must not depend on where the ranges are cut: a reduction loops over
  /// chunks of a size that it chose itself. `body` throws
  /// nothing of its own; loops inside it, on the same Parallel, may.
  virtual void run(int64_t n, int64_t block, double cost, FunctionRef<void(int64_t, int64_t)> body) = 0;

  /// Calls body(begin, end) on ranges that cover [0, n) one after the other on the calling thread, for loops in which
  /// an item needs those before it: so that a long one can be cut. `cost` and `body` as of `run`.
  virtual void run_in_order(int64_t n, double cost, FunctionRef<void(int64_t, int64_t)> body) = 0;
};

/// Runs everything in place, as one range.
class SerialParallel final : public Parallel {
 public:
  ~SerialParallel() override;
  int threads() const override;
  void run(int64_t n, int64_t block, double cost, FunctionRef<void(int64_t, int64_t)> body) override;
  void run_in_order(int64_t n, double cost, FunctionRef<void(int64_t, int64_t)> body) override;
};

}  // namespace tinytf
