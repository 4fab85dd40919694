#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "graph/passes/subgraph.h"

namespace tinytf {

/// A node that a pass makes for the work of `of`: it has its name, device and call site, but is nothing that the user's
/// node yields. Attrs `T`, of the one input, and others are the caller's to set. `outputs` may be references.
SubgraphNode made_node(const SubgraphNode& of, const char* op, std::vector<ArgType> inputs,
                       std::vector<ArgType> outputs, AttrMap attrs);

/// A node that passes on what `input` yields, a reference as such if `keeps_reference`; else it is read.
SubgraphNode made_identity(const SubgraphNode& of, ArgType type, SubgraphNode::Input input, std::vector<int> controls,
                           bool keeps_reference);

}  // namespace tinytf
