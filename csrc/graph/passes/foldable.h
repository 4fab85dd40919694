#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "graph/passes/subgraph.h"

namespace tinytf {

/// Which nodes of a Subgraph are made of constants alone, told one after the other, in their order. What a Switch
/// yields is no constant: it need not be there. What a loop is entered with, and keeps, is one in each iteration.
class FoldableNodes {
 public:
  /// Nodes whose values are known to take more than `max_bytes` are none, but constants.
  FoldableNodes(const Subgraph& subgraph, size_t max_bytes);

  /// Whether the node can be computed when the plan is made, of inputs that this was told of before. What it waits for
  /// is no obstacle where what is computed keeps waiting, which only the program's own functions are worth: without any
  /// of those all that waits is no constant.
  bool add(int index);
  /// What a node's value is to wait for: what the node and all that it is made of wait for. Of one that was added.
  const std::vector<int>& waits(int index) const { return *waits_[index]; }
  /// Where a constant input comes from: what it is outside of the loops that keep it.
  SubgraphNode::Input origin_of(SubgraphNode::Input input) const;

 private:
  std::optional<std::vector<int>> waits_of(const SubgraphNode& node) const;

  const Subgraph& subgraph_;
  const size_t max_bytes_;
  bool takes_waiting_ = false;
  std::vector<std::optional<std::vector<int>>> waits_;  // by node; none of those that are not foldable
};

/// Whether the node calls a function of the program's that always yields the same.
bool calls_pure_function(const SubgraphNode& node);

}  // namespace tinytf
