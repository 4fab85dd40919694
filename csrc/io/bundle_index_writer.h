#pragma once

#include <map>
#include <string>

#include "base/status.h"
#include "io/atomic_file.h"
#include "io/bundle_entry.h"

namespace tinytf {

/// Writes an index of these entries into a new file and closes it.
Status write_index(AtomicFile& file, const BundleHeader& header, const std::map<std::string, BundleEntry>& entries);

}  // namespace tinytf
