#pragma once

#include <optional>

#include "graph/passes/frames.h"

namespace tinytf {

struct Guards;

/// What a Switch asks.
struct SwitchPredicate {
  SubgraphNode::Input predicate{-1, 0};
  bool is_negated = false;    ///< the Switch asks for the opposite
  std::optional<bool> known;  ///< what the Switch asks always is, where the Switch runs
};

/// Of a Switch that takes `asked`. What comes before it has been found in `guards`, which learn here which predicates
/// have one known value.
SwitchPredicate find_switch_predicate(const Subgraph& subgraph, const Frames& frames, const SubgraphNode::Input& asked,
                                      Guards& guards);

}  // namespace tinytf
