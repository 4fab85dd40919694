#pragma once

#include <optional>
#include <vector>

#include "graph/node.h"

namespace tinytf {

/// What a node of an op with Trait::kShapeOnly yields, one value for each output, where the static shapes of its inputs
/// tell it. None for other ops, unknown shapes, and what does not fit the output type, which is an error at run time.
/// Variables that are read by reference may take another shape; callers look out for them. The graph's lock is held.
std::optional<std::vector<Tensor>> values_of_shapes(const Node& node);

}  // namespace tinytf
