#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "graph/passes/subgraph.h"

namespace tinytf {

/// Whether the type is one of values: neither a reference nor a handle or variant, which stand for state.
inline bool is_plain(const ArgType& type) {
  return !type.is_ref && type.dtype != DType::kResource && type.dtype != DType::kVariant;
}

/// Finds the nodes of a Subgraph that depend only on constants. Nodes are added one by one, in order. Outputs of a
/// Switch are not constant, as they may be dead. A loop-invariant value (a constant Enter) is constant in each
/// iteration.
class FoldableNodes {
 public:
  /// Nodes whose outputs are known to exceed `max_bytes` are not foldable, unless they are constants.
  FoldableNodes(const Subgraph& subgraph, size_t max_bytes);

  /// Whether the node can be evaluated at planning time from inputs that were added before. A node with control inputs
  /// is foldable only if the subgraph calls stateless Python functions: the result has to keep the control inputs,
  /// which is not worthwhile otherwise.
  bool add(int index);
  /// The control inputs that the folded value needs: the node's own, and the ones of all nodes it is computed from. For
  /// foldable nodes only.
  const std::vector<int>& waits(int index) const { return *waits_[index]; }
  /// The source of a constant input, outside of the loops that it enters as an invariant.
  SubgraphNode::Input origin_of(SubgraphNode::Input input) const;

 private:
  std::optional<std::vector<int>> waits_of(const SubgraphNode& node) const;

  const Subgraph& subgraph_;
  const size_t max_bytes_;
  bool takes_waiting_ = false;
  std::vector<std::optional<std::vector<int>>> waits_;  // By node; nullopt for nodes that are not foldable.
};

/// Whether the node calls a stateless Python function of the program.
bool calls_pure_function(const SubgraphNode& node);

}  // namespace tinytf
