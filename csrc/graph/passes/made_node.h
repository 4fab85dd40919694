#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "graph/passes/subgraph.h"

namespace tinytf {

/// A node that a pass makes on behalf of `of`: it has its name, device and call site, but its outputs are not the
/// outputs of the user's node. The op may be internal. The caller supplies all attrs, such as `T`, and sets the inputs.
/// `outputs` may be references.
SubgraphNode made_node(const SubgraphNode& of, const char* op, std::vector<ArgType> inputs,
                       std::vector<ArgType> outputs, AttrMap attrs);

/// A node that passes on `input`. A reference stays one if `keeps_reference`; else the variable is read.
SubgraphNode made_identity(const SubgraphNode& of, ArgType type, SubgraphNode::Input input, std::vector<int> controls,
                           bool keeps_reference);

}  // namespace tinytf
