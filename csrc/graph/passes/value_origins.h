#pragma once

#include <optional>

#include "graph/passes/subgraph.h"

/// The sources of values that nodes take.
namespace tinytf {

/// The value of an output that is known at planning time and available when a step begins; null if there is none.
const Tensor* known_from_beginning(const SubgraphNode& node, int output);

/// As known_from_beginning, for a scalar of type T.
template <class T>
std::optional<T> scalar_from_beginning(const SubgraphNode& node, int output) {
  const Tensor* const value = known_from_beginning(node, output);
  if (value == nullptr || value->dtype() != dtype_of<T> || value->rank() != 0) return std::nullopt;
  return *value->data<T>();
}

/// Whether a node only copies the output of a Switch.
bool passes_switched_value(const Subgraph& subgraph, const SubgraphNode& node);

/// Whether a node only copies its input, which is no reference.
bool only_copies(const Subgraph& subgraph, const SubgraphNode& node);

/// The endpoint that a chain of identities copies.
SubgraphNode::Input behind_identities(const Subgraph& subgraph, SubgraphNode::Input input);

}  // namespace tinytf
