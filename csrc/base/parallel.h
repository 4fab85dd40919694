#pragma once

#include <cstdint>

#include "base/function_ref.h"

namespace tinytf {

// No inline members: compiled with a kernel's instruction-set flags, the linker could keep a copy that only some
// processors can run.

/// The interface through which kernels run loops on several threads without access to a thread pool. Implementations
/// are thread-safe.
class Parallel {
 public:
  virtual ~Parallel();

  /// Upper bound of the number of ranges that run concurrently, including the one on the caller's thread.
  virtual int threads() const = 0;

  /// Calls body(begin, end) on disjoint ranges that cover [0, n), on the calling thread and possibly others, and
  /// returns when all calls have ended. The length of every range but the last is a multiple of `block`. `cost` is the
  /// estimated time per item in nanoseconds; a loop with a small total runs as one range in place. Results must not
  /// depend on where the ranges are cut: a reduction iterates over chunks whose size it chooses itself. `body` must not
  /// throw on its own, but may let exceptions of nested loops on the same Parallel pass.
  virtual void run(int64_t n, int64_t block, double cost, FunctionRef<void(int64_t, int64_t)> body) = 0;

  /// Calls body(begin, end) on consecutive ranges that cover [0, n), one after the other on the calling thread. For
  /// loops in which an item depends on the previous ones: between two ranges a long loop can be aborted. `cost` and
  /// `body` are as in `run`.
  virtual void run_in_order(int64_t n, double cost, FunctionRef<void(int64_t, int64_t)> body) = 0;
};

/// Runs every loop in place, as one range.
class SerialParallel final : public Parallel {
 public:
  ~SerialParallel() override;
  int threads() const override;
  void run(int64_t n, int64_t block, double cost, FunctionRef<void(int64_t, int64_t)> body) override;
  void run_in_order(int64_t n, double cost, FunctionRef<void(int64_t, int64_t)> body) override;
};

}  // namespace tinytf
