#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace tinytf {

/// The name of a file as the system knows it: `file:///a/b` is /a/b. Unimplemented for other schemes ("s3://…"),
/// InvalidArgument for a name with a NUL.
Result<std::string> local_path(const std::string& path);

/// What comes before the last slash, as it is written: "/" of what lies right below the root, "" where there is no
/// slash.
std::string_view folder_of(std::string_view path);
/// What comes behind the last slash.
std::string_view base_name_of(std::string_view path);

}  // namespace tinytf
