#pragma once

#include "base/parallel.h"
#include "graph/node.h"

/// Values that can be told while the graph is being built. Callers hold the graph's lock.
namespace tinytf {

/// Whether a new node with these inputs depends on nothing but constants.
bool depends_on_constants_only(const Node& node);

/// The value of a constant node's output (computed once and kept), or null if it is not constant, too large, or its
/// kernel fails.
const Tensor* constant_value(Endpoint endpoint);

/// Entries of an int vector as far as casts and ops that declare their `entries` reveal them.
PartialShape constant_value_as_shape(Endpoint endpoint);

/// The value that a constant has as an attr; null for other nodes, for constants that are kept as few elements, and for
/// a value of another type than the node's, which its kernel refuses.
const Tensor* attr_value(const NodeInfo& info);

/// Runs one node's kernel outside any session, on the calling thread and those of `parallel`, if there is one, with
/// memory of `allocator`, else of the process's.
Result<std::vector<Tensor>> evaluate_node(const NodeInfo& info, const std::vector<Tensor>& inputs,
                                          Parallel* parallel = nullptr, Allocator* allocator = nullptr,
                                          int64_t step_id = 0);

/// The same for values whose sizes are not known: an error if they take more than a MiB.
Result<std::vector<Tensor>> evaluate_bounded(const NodeInfo& info, const std::vector<Tensor>& inputs);

/// Constants of a node's inputs, for its shape function; and which of them it asked for.
class NodeConstants final : public ConstantSource {
 public:
  explicit NodeConstants(const Node& node) : node_(node) {}
  const Tensor* value(int input) override;
  PartialShape value_as_shape(int input) override;
  int64_t entry(int input) override;

  /// An error if a value that is no shape was asked for as one.
  const Status& status() const { return status_; }
  /// What was asked for and is known: "and with computed input tensors: …", TensorFlow's wording.
  std::string to_string() const;

 private:
  void check_scalar(int input);

  const Node& node_;
  std::vector<int> values_, shapes_;  // inputs
  Status status_;
};

}  // namespace tinytf
