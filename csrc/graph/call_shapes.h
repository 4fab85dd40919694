#pragma once

#include <optional>
#include <vector>

#include "graph/function_body.h"

namespace tinytf {

/// The function that a node calls by its name, or by an attr; none for other nodes.
std::optional<FuncRef> called_function(const NodeInfo& node);

/// What is known of the shapes of a function's results when its arguments have these shapes: at least what is known in
/// its graph. Of loops and of calls in the body only that. InvalidArgument for another number of shapes than arguments.
Result<std::vector<PartialShape>> result_shapes(const FunctionBody& body, const std::vector<PartialShape>& arguments);

}  // namespace tinytf
