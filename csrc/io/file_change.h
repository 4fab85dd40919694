#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/status.h"

namespace tinytf {

/// Changes that the engine makes to files and folders.
enum class FileChange : uint8_t { kCreate, kWrite, kSync, kClose, kRename, kDelete, kMakeFolder, kDeleteFolder };

/// "create", "write", …
const char* file_change_name(FileChange change);

/// Observes every change before it is made, on any thread. For tests: they count changes, make them fail, and end the
/// process in between.
class FileChangeWatch {
 public:
  virtual ~FileChangeWatch() = default;
  /// A returned error becomes the change's, which is then not made. For kWrite, `bytes` is the number of bytes about to
  /// be written: it may be lowered, but not to 0, and the rest is asked for again. `path` is the source of a kRename.
  virtual Status before(FileChange change, const std::string& path, size_t& bytes) = 0;
};

/// Sets the watch, or null for none, and returns the previous one. A watch must outlive all changes begun under it.
FileChangeWatch* set_file_change_watch(FileChangeWatch* watch);

/// Call before each change.
Status before_file_change(FileChange change, const std::string& path, size_t& bytes);
inline Status before_file_change(FileChange change, const std::string& path) {
  size_t none = 0;
  return before_file_change(change, path, none);
}

}  // namespace tinytf
