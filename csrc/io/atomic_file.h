#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "io/file.h"

namespace tinytf {

/// A file that is written under a temporary name, so that its final name never shows a part of it. The destructor
/// deletes it unless keep() has succeeded.
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
  AtomicFile(std::string path, std::unique_ptr<WritableFile> file) : path_(std::move(path)), file_(std::move(file)) {}

  const std::string path_;
  std::unique_ptr<WritableFile> file_;
  bool closed_ = false;
  bool kept_ = false;
};

/// Creates the folder of a file of that name if it does not exist, one level only. In a DurableScope, its creation is
/// synced to disk.
Status make_folder_of(const std::string& path);

}  // namespace tinytf
