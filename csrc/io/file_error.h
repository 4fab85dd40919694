#pragma once

#include <string_view>

#include "base/status.h"

namespace tinytf {

/// Converts an errno of a system call on a file to TensorFlow's error: NotFound "PATH; No such file or directory".
Status file_error(std::string_view path, int error);

}  // namespace tinytf
