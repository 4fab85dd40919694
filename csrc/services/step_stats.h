#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "tensor/shape.h"

namespace tinytf {

/// What one execution of a node was. Times are nanoseconds since the epoch, by a clock that never runs backwards within
/// a step.
struct NodeStats {
  struct Output {
    int slot = 0;
    DType dtype = DType::kInvalid;
    Shape shape;
    int64_t bytes = 0;
  };
  std::string node;
  std::string iterations;  ///< of the loops that it ran in, as a message tells them
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  uint32_t thread = 0;  ///< the system's number of the thread that ran it
  std::vector<Output> outputs;
};

/// What the nodes of one step did, in the order in which they ended; kept only for steps that are traced. Thread-safe.
class StepStats {
 public:
  StepStats();

  int64_t now() const;
  /// A time of the steady clock, as time since the epoch.
  int64_t since_epoch(int64_t steady_ns) const { return steady_ns + epoch_offset_; }
  void add(NodeStats stats);
  /// The records so far; the step must have ended.
  std::vector<NodeStats> take();

  static uint32_t this_thread();

 private:
  const int64_t epoch_offset_;  // what turns the steady clock into time since the epoch
  std::mutex mutex_;
  std::vector<NodeStats> nodes_;
};

}  // namespace tinytf
