#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"

namespace tinytf {

/// The version of GraphDefs that this engine writes.
inline constexpr int32_t kGraphDefVersion = 134;

/// An op that TensorFlow removed.
struct RemovedOp {
  std::string_view name;
  int32_t version;  ///< first GraphDef version without the op
  std::string_view advice;
};

/// Null if the op was not removed in any version.
const RemovedOp* find_removed_op(std::string_view name);

/// Unimplemented, with TensorFlow's message, if GraphDefs of this version do not have the op any more.
Status check_not_removed(std::string_view op, int32_t version);

}  // namespace tinytf
