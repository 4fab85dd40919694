#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "io/file_system.h"

namespace tinytf {

/// Preserves a checkpoint while another one takes over its prefix: its data files get second names, and its index is
/// replaced by one that refers to these. The new data files then take the old names, and at last the new index that of
/// the old. So the prefix has a complete checkpoint, old or new, at whatever time the process ends.
class ReplacedCheckpoint {
 public:
  /// Does so if there is a checkpoint of exactly `data_files` data files; other files are not in the way. No-op if the
  /// file system lacks hard links. An error leaves the checkpoint as it was.
  static Result<ReplacedCheckpoint> of(const std::string& prefix, int32_t data_files);
  /// Deletes the second names, without a request for memory. Call it once the new index is in place.
  void drop() const;

 private:
  std::vector<PreparedDeletion> names_;
};

}  // namespace tinytf
