#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "op/node_observer.h"
#include "tensor/finite.h"
#include "tensor/tensor.h"

namespace tinytf {

/// Digests of the outputs of one execution of a node.
struct NodeDigest {
  struct Value {
    uint64_t digest = 0;  ///< 0: there was no value.
    DType dtype = DType::kInvalid;
    Shape shape;
    ValueRange range;
  };
  std::string node;
  std::string iterations;      ///< Iterations of the enclosing loops, in the format of messages.
  std::vector<Value> outputs;  ///< For a reference: the variable's value after the node ran.
  std::vector<Value> inputs;   ///< In the format of `outputs`; only if an output has a NaN or infinity.
  std::vector<Tensor> kept;    ///< The outputs themselves, if they are to be kept.
};

/// Records digests and value ranges of the outputs of every node, so that a step can be compared with another run of
/// it. Also keeps the records of a failed step. Thread-safe.
class DigestRecorder final : public NodeObserver {
 public:
  /// `keeps_readings`: keep outputs of nodes that read state outside the graph (Trait::kReadsExternalState).
  /// `notes_inputs`: also record the inputs of nodes that yield NaN or infinity; then no kernel computes in place.
  DigestRecorder(bool keeps_readings, bool notes_inputs)
      : keeps_readings_(keeps_readings), notes_inputs_(notes_inputs) {}
  Status after(const KernelContext& ctx, int64_t start_ns, const Iterations& iterations) override;
  bool keeps_inputs() const override { return notes_inputs_; }

  /// Takes the records, in the order in which nodes ended. The step must have ended.
  std::vector<NodeDigest> take();

 private:
  const bool keeps_readings_;
  const bool notes_inputs_;
  std::mutex mutex_;
  std::vector<NodeDigest> nodes_;
};

}  // namespace tinytf
