#pragma once

#include <optional>

#include "graph/passes/frames.h"

namespace tinytf {

struct Guards;

/// The predicate of a Switch.
struct SwitchPredicate {
  SubgraphNode::Input predicate{-1, 0};
  bool is_negated = false;    ///< The Switch tests the negation.
  std::optional<bool> known;  ///< The value of the Switch's predicate whenever the Switch runs, if it is known.
};

/// Finds the predicate of a Switch whose predicate input is `asked`. All earlier nodes are recorded in `guards`;
/// predicates with a known value are added to it.
SwitchPredicate find_switch_predicate(const Subgraph& subgraph, const Frames& frames, const SubgraphNode::Input& asked,
                                      Guards& guards);

}  // namespace tinytf
