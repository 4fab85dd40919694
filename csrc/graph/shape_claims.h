#pragma once

#include <vector>

#include "graph/node.h"
#include "tensor/tensor.h"

namespace tinytf {

/// What programs claim of shapes by Graph::set_shape, beyond what ops tell, and who relies on it.
///
/// A claim may be wrong without doing harm, as in TensorFlow, unless values are computed of it: of the static shapes of
/// nodes that rest on it. Then the step that runs the claimed node checks it. What functions of the program yield is
/// checked in any case.

/// Notes that values are computed of the static shapes of a node. The lock of its graph, or of the one whose run it is
/// prepared for, is held.
void rely_on_shapes(const Node& node);

/// What steps have to check of a node's outputs: their static shapes; empty if there is nothing to check.
std::vector<PartialShape> claims_to_check(const Node& node);

/// InvalidArgument if a value of output `output` is not of the shape that is claimed.
Status check_claim(const NodeInfo& node, int output, const PartialShape& claimed, const Shape& shape);

}  // namespace tinytf
