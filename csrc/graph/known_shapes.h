#pragma once

#include <optional>
#include <vector>

#include "graph/node.h"

namespace tinytf {

/// The outputs of a node whose op has Trait::kShapeOnly, if the static shapes of its inputs determine them. Nullopt for
/// other ops, for unknown shapes, and for values that do not fit the output dtype, which are an error at run time. A
/// variable that is read by reference may change its shape; callers must exclude that. The caller holds the graph's
/// lock.
std::optional<std::vector<Tensor>> values_of_shapes(const Node& node);

}  // namespace tinytf
