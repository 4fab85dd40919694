#include "op/lowered.h"

namespace tinytf {

bool is_lowered(const NodeInfo& node) {
  const auto* const lowers = node.attrs.get<bool>("_lower_using_switch_merge");
  return lowers != nullptr && *lowers;
}

}  // namespace tinytf
