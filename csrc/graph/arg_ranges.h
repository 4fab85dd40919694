#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "op/node_info.h"

namespace tinytf {

/// Which outputs of a node are those that its op declares as one.
struct ArgRange {
  const ArgDef* arg = nullptr;
  int begin = 0;
  int count = 0;
};

/// In the order of the declaration. The attrs are complete.
std::vector<ArgRange> output_ranges(const NodeInfo& node);

/// The types of what `arg` declares, given the attrs: one, or those of a list. InvalidArgument for attrs that are
/// missing or say nothing of the kind, and for longer lists than nodes have.
Result<std::vector<DType>> types_of(const ArgDef& arg, const AttrMap& attrs);

}  // namespace tinytf
