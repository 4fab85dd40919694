#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "graph/passes/subgraph.h"

namespace tinytf {

/// Which predicates have a value that is known when a plan is made: those that are computed of constants, of defaults
/// that are not fed and of values that were folded. Switches and constant Enters pass values on. Computing is bounded,
/// in nodes and bytes; beyond the bounds, and where a kernel fails or yields a NaN, nothing is known. The nodes may
/// grow in number between calls. The graph's lock is held. For one thread.
class KnownPredicates {
 public:
  explicit KnownPredicates(const std::vector<SubgraphNode>& nodes) : nodes_(nodes) {}

  /// The value of a boolean scalar, wherever it is there at all.
  std::optional<bool> value_of(const SubgraphNode::Input& predicate);
  /// The value of a scalar of type int32, as above.
  std::optional<int32_t> index_of(const SubgraphNode::Input& index);

 private:
  using Values = std::vector<Tensor>;

  const Tensor* known(const SubgraphNode::Input& input);
  bool is_computable(const SubgraphNode& node) const;
  Values computed(const SubgraphNode& node);

  const std::vector<SubgraphNode>& nodes_;
  std::unordered_map<int, Values> values_;  // by node; none: nothing is known
  int computed_ = 0;
};

}  // namespace tinytf
