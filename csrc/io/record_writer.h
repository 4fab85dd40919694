#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/deflate.h"
#include "io/file.h"

namespace tinytf {

/// Writes a file of records from its front on. One thread at a time; after an error all that is left is to close it.
class RecordWriter {
 public:
  /// A new file, in place of one that is there; compressed as `deflate` says, if it does.
  static Result<std::unique_ptr<RecordWriter>> create(const std::string& path,
                                                      const std::optional<DeflateOptions>& deflate = {});

  Status write(std::string_view record);
  /// Hands what was written to the system; of a compressed file all of it only with `how`, which costs some bytes.
  Status flush(std::optional<DeflateFlush> how = {});
  /// Completes the file. Idempotent. Without it the file may lack its end.
  Status close();

 private:
  RecordWriter(std::unique_ptr<WritableFile> file, std::unique_ptr<Deflater> deflater)
      : file_(std::move(file)), deflater_(std::move(deflater)) {}
  Status deflate_pending();

  const std::unique_ptr<WritableFile> file_;
  const std::unique_ptr<Deflater> deflater_;  // null: the file is not compressed
  std::string pending_;                       // records that the deflater has not got
  bool is_open_ = true;
};

}  // namespace tinytf
