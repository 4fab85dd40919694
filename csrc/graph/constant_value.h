#pragma once

#include "base/parallel.h"
#include "graph/node.h"

/// Values that can be computed while the graph is being built. Callers hold the graph's lock.
namespace tinytf {

/// Whether a new node with these inputs depends on nothing but constants.
bool depends_on_constants_only(const Node& node);

/// The value of a constant node's output (computed once and kept), or null if it is not constant, too large, or its
/// kernel fails.
const Tensor* constant_value(Endpoint endpoint);

/// The entries of an int vector that are known statically, through casts and ops that declare their `entries`.
PartialShape constant_value_as_shape(Endpoint endpoint);

/// The attr `value` of a constant node. Null for other nodes, for compact constants, and if the value's dtype is not
/// the node's, which its kernel rejects.
const Tensor* attr_value(const NodeInfo& info);

/// Runs the kernel of one node outside any session. `parallel`: threads that may help the calling thread; null: none.
/// `allocator`: owner of the output memory; null: the process's allocator.
Result<std::vector<Tensor>> evaluate_node(const NodeInfo& info, const std::vector<Tensor>& inputs,
                                          Parallel* parallel = nullptr, Allocator* allocator = nullptr,
                                          int64_t step_id = 0);

/// As evaluate_node, for outputs of unknown size: ResourceExhausted if they need more than 1 MiB.
Result<std::vector<Tensor>> evaluate_bounded(const NodeInfo& info, const std::vector<Tensor>& inputs);

/// Provides a shape function with the constant values of a node's inputs, and records which inputs it asked for.
class NodeConstants final : public ConstantSource {
 public:
  explicit NodeConstants(const Node& node) : node_(node) {}
  const Tensor* value(int input) override;
  PartialShape value_as_shape(int input) override;
  int64_t entry(int input) override;

  /// InvalidArgument if the shape function asked for a value as a shape and it is not a valid one.
  const Status& status() const { return status_; }
  /// Describes the known values that were requested, in TensorFlow's wording: "and with computed input tensors: …".
  std::string to_string() const;

 private:
  void check_scalar(int input);

  const Node& node_;
  std::vector<int> values_, shapes_;  // Indices of inputs.
  Status status_;
};

}  // namespace tinytf
