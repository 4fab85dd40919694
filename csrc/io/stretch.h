#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "io/file.h"

namespace tinytf {

/// A stretch of a file that is read from its front to its end, through a buffer.
class FileStretch {
 public:
  /// The file must outlive it, and have those bytes.
  FileStretch(const RandomAccessFile& file, uint64_t offset, uint64_t bytes)
      : file_(file), next_(offset), unfetched_(bytes) {}

  /// Bytes that were not read yet.
  uint64_t left() const { return unfetched_ + (buffer_.size() - at_); }
  /// OutOfRange if there are not so many.
  Status read(char* to, uint64_t bytes);
  /// A number; DataLoss if there is none.
  Status read_varint(uint64_t& value);

 private:
  Status fetch(char* to, size_t bytes);
  /// Has more in the buffer, if there is more.
  Status fill();

  const RandomAccessFile& file_;
  uint64_t next_, unfetched_;
  std::string buffer_;
  size_t at_ = 0;
};

}  // namespace tinytf
