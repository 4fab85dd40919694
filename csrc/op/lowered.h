#pragma once

#include "op/node_info.h"

namespace tinytf {

/// Whether TensorFlow replaces this node, which selects or repeats functions, by Switch and Merge nodes or a loop of
/// them. Then its condition must be a scalar bool and its functions keep their state per node. Otherwise its kernel
/// runs the functions.
bool is_lowered(const NodeInfo& node);

}  // namespace tinytf
