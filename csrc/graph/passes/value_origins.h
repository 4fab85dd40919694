#pragma once

#include <optional>

#include "graph/passes/subgraph.h"

/// Where the values that nodes take come from.
namespace tinytf {

/// A value that a step has from its beginning; null if it has none.
const Tensor* known_from_beginning(const SubgraphNode& node, int output);

/// The same of a scalar of type T.
template <class T>
std::optional<T> scalar_from_beginning(const SubgraphNode& node, int output) {
  const Tensor* const value = known_from_beginning(node, output);
  if (value == nullptr || value->dtype() != dtype_of<T> || value->rank() != 0) return std::nullopt;
  return *value->data<T>();
}

/// Whether a node only passes on the output of a Switch.
bool passes_switched_value(const Subgraph& subgraph, const SubgraphNode& node);

/// What a predicate is made of, behind nodes that only pass it on.
SubgraphNode::Input behind_identities(const Subgraph& subgraph, SubgraphNode::Input input);

}  // namespace tinytf
