#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace tinytf {

/// Converts a file name to a path of the system: `file:///a/b` is /a/b. Unimplemented for other schemes ("s3://…"),
/// InvalidArgument for a name with a NUL.
Result<std::string> local_path(const std::string& path);

/// The part before the last slash, as written: "/" for a path directly below the root, "" without a slash.
std::string_view folder_of(std::string_view path);
/// The part after the last slash.
std::string_view base_name_of(std::string_view path);

}  // namespace tinytf
