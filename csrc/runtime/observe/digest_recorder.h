#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "op/node_observer.h"
#include "tensor/finite.h"
#include "tensor/tensor.h"

namespace tinytf {

/// What one execution of a node yielded, without the values.
struct NodeDigest {
  struct Value {
    uint64_t digest = 0;  ///< 0: there was none
    DType dtype = DType::kInvalid;
    Shape shape;
    ValueRange range;
  };
  std::string node;
  std::string iterations;      ///< of the loops that it ran in, as a message tells them
  std::vector<Value> outputs;  ///< of references: the variable's value after the node
  std::vector<Value> inputs;   ///< only if an output has a NaN or an infinity; as `outputs`
  std::vector<Tensor> kept;    ///< the outputs themselves, if they are to be kept
};

/// Notes digests and ranges of every node's outputs, so that a step can be compared with another run of it. Keeps the
/// records of a step that fails. Thread-safe.
class DigestRecorder final : public NodeObserver {
 public:
  /// `keeps_readings`: outputs of nodes that read the world are kept. `notes_inputs`: of nodes that yield NaN or Inf;
  /// no kernel computes in place then.
  DigestRecorder(bool keeps_readings, bool notes_inputs)
      : keeps_readings_(keeps_readings), notes_inputs_(notes_inputs) {}
  Status after(const KernelContext& ctx, int64_t start_ns, const Iterations& iterations) override;
  bool keeps_inputs() const override { return notes_inputs_; }

  /// The records so far, in the order in which nodes ended; the step must have ended.
  std::vector<NodeDigest> take();

 private:
  const bool keeps_readings_;
  const bool notes_inputs_;
  std::mutex mutex_;
  std::vector<NodeDigest> nodes_;
};

}  // namespace tinytf
