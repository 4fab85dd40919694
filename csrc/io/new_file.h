#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "io/file.h"

namespace tinytf {

/// A file that is written beside the one that it is to become, so that there is never a part of it under that name. It
/// goes if nobody says that it is to stay.
class NewFile {
 public:
  /// Its name until then: PATH.tempstate and a random number, as TensorFlow's.
  static Result<std::unique_ptr<NewFile>> create(const std::string& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  WritableFile& file() { return *file_; }
  /// All that it is to have was written; in a DurableScope it is on the disk then. Idempotent.
  Status close();
  /// Closed, it takes its name, from what has it now.
  Status keep();

 private:
  NewFile(std::string path, std::unique_ptr<WritableFile> file) : path_(std::move(path)), file_(std::move(file)) {}

  const std::string path_;
  std::unique_ptr<WritableFile> file_;
  bool closed_ = false;
  bool kept_ = false;
};

/// Makes the folder that a file of that name is to lie in, if it is not there: one level only. In a DurableScope it is
/// on the disk then.
Status make_folder_of(const std::string& path);

}  // namespace tinytf
