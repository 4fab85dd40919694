#pragma once

#include "op/node_info.h"

namespace tinytf {

/// Whether TensorFlow puts Switches and Merges, or a loop of such, in place of a node that chooses or repeats
/// functions. Then its condition must be a scalar bool, and what functions keep is kept for each node. Else its kernel
/// runs them.
bool is_lowered(const NodeInfo& node);

}  // namespace tinytf
