#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/status.h"

namespace tinytf {

/// What the engine does to files and folders.
enum class FileChange : uint8_t { kCreate, kWrite, kSync, kClose, kRename, kDelete, kMakeFolder, kDeleteFolder };

/// "create", "write", …
const char* file_change_name(FileChange change);

/// Sees every change before it is made, by any thread. For tests: they count changes, let them fail, and end the
/// process in between.
class FileChangeWatch {
 public:
  virtual ~FileChangeWatch() = default;
  /// An error is the change's, which is then not made. Of kWrite, `bytes` is how many are about to be written: fewer,
  /// but some, may be allowed, and the rest is asked for again. `path` is where a kRename begins.
  virtual Status before(FileChange change, const std::string& path, size_t& bytes) = 0;
};

/// The watch, or null: none. It must outlive all changes that may have begun under it. Yields the one before.
FileChangeWatch* set_file_change_watch(FileChangeWatch* watch);

/// Whoever makes a change asks here first.
Status before_file_change(FileChange change, const std::string& path, size_t& bytes);
inline Status before_file_change(FileChange change, const std::string& path) {
  size_t none = 0;
  return before_file_change(change, path, none);
}

}  // namespace tinytf
