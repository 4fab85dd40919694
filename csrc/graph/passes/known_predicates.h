#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph/passes/subgraph.h"

namespace tinytf {

/// Computes predicates that are known at planning time because they depend only on constants, defaults of placeholders
/// that are not fed, and folded values. Switches, Enters and Exits pass values on, and so do the Merges of loop
/// variables that no iteration changes. The number of evaluated nodes and their bytes are bounded; a predicate is
/// unknown beyond the bounds, and if a kernel fails or yields a NaN or infinity. `nodes` may grow between calls. The
/// caller holds the graph's lock. For one thread.
class KnownPredicates {
 public:
  explicit KnownPredicates(const std::vector<SubgraphNode>& nodes) : nodes_(nodes) {}

  /// Declares that a node is the Merge of a loop variable that no iteration changes; see unchanged_variables. To be
  /// called before any query about later nodes.
  void note_unchanged(int merge) { unchanged_.insert(merge); }

  /// The value of a boolean scalar whenever it is live; nullopt if it is unknown.
  std::optional<bool> value_of(const SubgraphNode::Input& predicate);
  /// The value of an int32 scalar whenever it is live; nullopt if it is unknown.
  std::optional<int32_t> index_of(const SubgraphNode::Input& index);

 private:
  using Values = std::vector<Tensor>;

  const Tensor* known(const SubgraphNode::Input& input);
  bool passes_first(int index) const;
  bool is_computable(int index) const;
  /// Whether the value is unknown whatever is known of the node: a feed, or the index output of a Merge.
  bool is_open(const SubgraphNode::Input& input) const;
  Values computed(int index);

  const std::vector<SubgraphNode>& nodes_;
  std::unordered_map<int, Values> values_;  // By node; empty if its values are unknown.
  std::unordered_set<int> unchanged_;       // Merges.
  int computed_ = 0;
};

/// The Merges of loop variables that each iteration passes on unchanged. Captured tensors of a function body are such
/// variables.
std::vector<int> unchanged_variables(const Subgraph& subgraph);

}  // namespace tinytf
