#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace tinytf {

/// Makes one checkpoint of several, whose data files it takes over, in the order of the prefixes; parts of one tensor
/// come together. InvalidArgument where two of them have the same tensor, NotFound where one is missing: then nothing
/// was changed. With delete_old_folders, the indexes and the folders that are empty then go, if they can.
Status merge_bundles(const std::vector<std::string>& prefixes, const std::string& merged, bool delete_old_folders);

}  // namespace tinytf
