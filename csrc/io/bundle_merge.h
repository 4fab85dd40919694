#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace tinytf {

/// Merges checkpoints into one, which takes over their data files in the order of the prefixes; slices of one tensor
/// are joined. InvalidArgument if two of them have the same tensor, NotFound if one is missing: then nothing was
/// changed. With delete_old_folders, the old indexes and the folders that are then empty are deleted, best effort.
Status merge_bundles(const std::vector<std::string>& prefixes, const std::string& merged, bool delete_old_folders);

}  // namespace tinytf
