#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace tinytf {

/// What is done with a checkpoint whose place another one is about to take: its data files get a second name, to which
/// its index leads from then on. So there is a whole checkpoint under the prefix at any time, the one before or the
/// new one, whenever the process ends: the new data files take the old ones' names, then the new index the old one's.
class SetAside {
 public:
  /// Does so if there is a checkpoint with so many data files; files of others are not in the way. Where the file
  /// system has no second names, nothing is done. An error leaves the checkpoint as it was.
  static Result<SetAside> of(const std::string& prefix, int32_t data_files);
  /// The new index is there: the second names go.
  void drop() const;

 private:
  std::vector<std::string> names_;
};

}  // namespace tinytf
