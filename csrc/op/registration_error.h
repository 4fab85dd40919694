#pragma once

#include <string_view>

#include "base/status.h"

namespace tinytf {

/// NotFound with TensorFlow's message about undeclared ops. `names` lists the ops in quotes; `more` is appended.
Status not_registered(std::string_view names, std::string_view more = "");

}  // namespace tinytf
