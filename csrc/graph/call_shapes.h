#pragma once

#include <optional>
#include <vector>

#include "graph/function_body.h"

namespace tinytf {

/// The function that a node calls, by its op name or by its attr `f`; nullopt for other nodes.
std::optional<FuncRef> called_function(const NodeInfo& node);

/// Static shapes of a function's results, given the shapes of its arguments. Each is at least as specific as the shape
/// in the function's graph. Shapes are not propagated through control flow and function calls inside the body.
/// InvalidArgument if the number of shapes differs from the number of arguments.
Result<std::vector<PartialShape>> result_shapes(const FunctionBody& body, const std::vector<PartialShape>& arguments);

}  // namespace tinytf
