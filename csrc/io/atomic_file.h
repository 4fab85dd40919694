#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "io/file.h"
#include "io/file_system.h"

namespace tinytf {

/// A file that is written under a temporary name, so that its final name never shows a part of it. The destructor
/// deletes it unless keep() has succeeded. After its creation no memory is requested, except for errors and in a
/// DurableScope.
class AtomicFile {
 public:
  /// The temporary name is PATH.tempstate and a random number, as in TensorFlow.
  static Result<std::unique_ptr<AtomicFile>> create(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  WritableFile& file() { return *file_; }
  /// Completes the file; in a DurableScope it is synced to disk. Idempotent.
  Status close();
  /// Closes the file and renames it to its final name, replacing an existing file.
  Status keep();

 private:
  AtomicFile(PreparedRename rename, PreparedDeletion deletion)
      : rename_(std::move(rename)), deletion_(std::move(deletion)) {}

  const PreparedRename rename_;
  const PreparedDeletion deletion_;
  std::unique_ptr<WritableFile> file_;  ///< null if the file could not be created
  bool closed_ = false;
  bool kept_ = false;
};

/// Creates the folder of a file of that name if it does not exist, one level only. In a DurableScope, its creation is
/// synced to disk.
Status make_folder_of(const std::string& path);

}  // namespace tinytf
