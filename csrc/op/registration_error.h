#pragma once

#include <string_view>

#include "base/status.h"

namespace tinytf {

/// NotFound, with TensorFlow's words, for ops that are not declared: `names`, in quotes. `more` is said behind.
Status not_registered(std::string_view names, std::string_view more = "");

}  // namespace tinytf
