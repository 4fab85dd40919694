#pragma once

#include <vector>

#include "graph/node.h"
#include "tensor/tensor.h"

namespace tinytf {

/// Shape claims: static shapes that programs set with Graph::set_shape and that are more specific than what the op
/// implies.
///
/// As in TensorFlow, a wrong claim is harmless unless a graph has constants made of static shapes that rest on it. If
/// it has, the step that runs the claimed node checks the claim. Claims about outputs of Python functions are always
/// checked.

/// Records that constants are made of the static shapes of a node. The caller holds the lock of the node's graph, or
/// of the graph whose run is being prepared.
void rely_on_shapes(const Node& node);

/// The static shapes of a node's outputs if steps have to check them; else empty.
std::vector<PartialShape> claims_to_check(const Node& node);

/// InvalidArgument if the shape of output `output` is incompatible with the claimed one.
Status check_claim(const NodeInfo& node, int output, const PartialShape& claimed, const Shape& shape);

}  // namespace tinytf
