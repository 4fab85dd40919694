#pragma once

#include <vector>

#include "graph/passes/frames.h"
#include "graph/passes/guards.h"

namespace tinytf {

/// Computes all guards. Unimplemented, naming a node, if control flow is not made of nested conditions, that is, if no
/// single predicate decides between the inputs of a Merge, or if variables enter a loop under different guards; such
/// steps run on the dataflow machine. ControlTriggers get guard 0; find_loops places triggers inside loops.
///
/// All predicates with the same known value are represented by one. "Equal" on the index output of a Merge counts as
/// the predicate of the Merge or its negation. Inside a loop that is entered only if a predicate has some value, the
/// predicate has that value. A Merge with a constant input yields that input, since it arrives first. A region runs
/// under the conditions that all of its inputs have in common. `misfit`: set on failure, unless null.
Result<Guards> find_guards(const Subgraph& subgraph, const Frames& frames, Misfit* misfit = nullptr);

/// By node: whether it runs exactly once in every step, outside of loops and whatever the predicates are. All false if
/// guards cannot be computed. Fails as find_frames does.
Result<std::vector<bool>> find_unconditional(const Subgraph& subgraph);

}  // namespace tinytf
