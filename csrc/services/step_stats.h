#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "tensor/shape.h"

namespace tinytf {

/// One execution of a node. Times are in nanoseconds since the epoch, by a clock that is monotonic within a step.
struct NodeStats {
  struct Output {
    int slot = 0;
    DType dtype = DType::kInvalid;
    Shape shape;
    int64_t bytes = 0;
  };
  std::string node;
  std::string iterations;  ///< iterations of the enclosing loops, formatted as in error messages
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  uint32_t thread = 0;  ///< system id of the thread that ran it
  std::vector<Output> outputs;
};

/// The executions of one step, in the order in which they ended. Exists only for traced steps. Thread-safe.
class StepStats {
 public:
  StepStats();

  int64_t now() const;
  /// Converts a time of the steady clock to time since the epoch.
  int64_t since_epoch(int64_t steady_ns) const { return steady_ns + epoch_offset_; }
  void add(NodeStats stats);
  /// Moves the records out. The step must have ended.
  std::vector<NodeStats> take();

  static uint32_t this_thread();

 private:
  const int64_t epoch_offset_;  // epoch time minus steady-clock time
  std::mutex mutex_;
  std::vector<NodeStats> nodes_;
};

}  // namespace tinytf
