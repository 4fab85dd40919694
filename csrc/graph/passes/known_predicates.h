#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph/passes/subgraph.h"

namespace tinytf {

/// Which predicates have a value that is known when a plan is made: those that are computed of constants, of defaults
/// that are not fed and of values that were folded. Switches, Enters and Exits pass values on, and so do the Merges of
/// loop variables that no iteration changes. Computing is bounded, in nodes and bytes; beyond the bounds, and where a
/// kernel fails or yields a NaN, nothing is known. The nodes may grow in number between calls. The graph's lock is
/// held. For one thread.
class KnownPredicates {
 public:
  explicit KnownPredicates(const std::vector<SubgraphNode>& nodes) : nodes_(nodes) {}

  /// This node is the Merge of a loop variable that stays what it was: see unchanged_variables. To be told before
  /// anything is asked that comes after it.
  void note_unchanged(int merge) { unchanged_.insert(merge); }

  /// The value of a boolean scalar, wherever it is there at all.
  std::optional<bool> value_of(const SubgraphNode::Input& predicate);
  /// The value of a scalar of type int32, as above.
  std::optional<int32_t> index_of(const SubgraphNode::Input& index);

 private:
  using Values = std::vector<Tensor>;

  const Tensor* known(const SubgraphNode::Input& input);
  bool passes_first(int index) const;
  bool is_computable(int index) const;
  /// Whether nothing can be known of it, whatever is known of its node: a feed, or which input of a Merge it was.
  bool is_open(const SubgraphNode::Input& input) const;
  Values computed(int index);

  const std::vector<SubgraphNode>& nodes_;
  std::unordered_map<int, Values> values_;  // by node; none: nothing is known
  std::unordered_set<int> unchanged_;       // Merges
  int computed_ = 0;
};

/// The Merges of loop variables that each iteration hands on as it got them: what a body of a function captures is such
/// a variable.
std::vector<int> unchanged_variables(const Subgraph& subgraph);

}  // namespace tinytf
