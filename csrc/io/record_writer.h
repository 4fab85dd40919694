#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "io/byte_sink.h"

namespace tinytf {

/// Writes a file of records sequentially. One thread at a time; after an error it can only be closed.
class RecordWriter {
 public:
  /// Creates a file, replacing an existing one; compressed if `deflate` is set.
  static Result<std::unique_ptr<RecordWriter>> create(const std::string& path,
                                                      const std::optional<DeflateOptions>& deflate = {},
                                                      const DeflateBuffer& buffer = {});

  Status write(std::string_view record);
  /// Writes all records to the system, so that they can be read; in a compressed file this costs some bytes.
  Status flush();
  /// Completes the file. Idempotent. Without it the end of the file may be missing.
  Status close() { return sink_.close(); }

 private:
  explicit RecordWriter(ByteSink sink) : sink_(std::move(sink)) {}

  ByteSink sink_;
};

}  // namespace tinytf
