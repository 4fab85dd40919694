#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"

namespace tinytf {

/// The version of the GraphDefs that are written here.
inline constexpr int32_t kGraphDefVersion = 134;

/// An op that TensorFlow took back.
struct RemovedOp {
  std::string_view name;
  int32_t version;  ///< of the GraphDefs from which on there is no such op
  std::string_view advice;
};

/// Null for ops that all GraphDefs may have.
const RemovedOp* find_removed_op(std::string_view name);

/// Unimplemented, in TensorFlow's words, for ops that GraphDefs of this version have no more.
Status check_not_removed(std::string_view op, int32_t version);

}  // namespace tinytf
