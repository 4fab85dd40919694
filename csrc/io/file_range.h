#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "io/file.h"

namespace tinytf {

/// A range of a file, read sequentially through a buffer.
class FileRange {
 public:
  /// The file must outlive it and contain these bytes.
  FileRange(const RandomAccessFile& file, uint64_t offset, uint64_t bytes)
      : file_(file), next_(offset), unfetched_(bytes) {}

  /// Number of bytes not read yet.
  uint64_t left() const { return unfetched_ + (buffer_.size() - at_); }
  /// OutOfRange if there are fewer.
  Status read(char* to, uint64_t bytes);
  /// Reads a varint; DataLoss if there is none.
  Status read_varint(uint64_t& value);

 private:
  Status fetch(char* to, size_t bytes);
  /// Reads more bytes into the buffer, if any are left.
  Status fill();

  const RandomAccessFile& file_;
  uint64_t next_, unfetched_;
  std::string buffer_;
  size_t at_ = 0;
};

}  // namespace tinytf
