#pragma once

#include "base/function_ref.h"
#include "graph/graph.h"

namespace tinytf {

/// Whether `is` holds for a node of a function, or of a function that one of its nodes names. A function that the graph
/// does not have has no nodes. Takes the graph's lock.
bool any_called_node(Graph& graph, const FuncRef& function, FunctionRef<bool(const NodeInfo&)> is);

}  // namespace tinytf
