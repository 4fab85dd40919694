#pragma once

#include <string_view>

#include "base/status.h"

namespace tinytf {

/// What a system call on a file says, as TensorFlow says it: "PATH; No such file or directory", NotFound. `error` is an
/// errno.
Status file_error(std::string_view path, int error);

}  // namespace tinytf
