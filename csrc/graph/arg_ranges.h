#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "op/node_info.h"

namespace tinytf {

/// The outputs of a node that belong to one declared output argument: `count` outputs from `begin` on.
struct ArgRange {
  const ArgDef* arg = nullptr;
  int begin = 0;
  int count = 0;
};

/// One range for each declared output argument, in the order of the declaration. The node's attrs must be complete.
std::vector<ArgRange> output_ranges(const NodeInfo& node);

/// The dtypes that `arg` stands for, given the attrs: one entry, or several for a list argument. InvalidArgument if an
/// attr that determines them is missing or of another kind, or if its number of entries is negative or above
/// kMaxOutputs.
Result<std::vector<DType>> types_of(const ArgDef& arg, const AttrMap& attrs);

}  // namespace tinytf
