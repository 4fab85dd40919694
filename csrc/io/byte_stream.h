#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/deflate.h"
#include "io/file.h"

namespace tinytf {

/// The bytes of a file from its front on, decompressed if it is compressed. One thread at a time. Memory is taken as
/// bytes come, however many are asked for.
class ByteStream {
 public:
  static Result<ByteStream> open(const std::string& path, std::optional<DeflateFormat> compression = {});

  /// Whether so many bytes are ready, once what there is was read.
  Result<bool> has(size_t bytes);
  /// Bytes that have been read and not dropped; valid until the next call of another method.
  std::string_view ready() const { return std::string_view(buffer_).substr(at_); }
  /// Of those that are ready, the first ones have been used.
  void drop(size_t bytes) { at_ += bytes; }
  /// Drops as many bytes, whether they are ready or not; OutOfRange "reached end of file" if there are not so many.
  Status skip(uint64_t bytes);

 private:
  ByteStream(std::unique_ptr<RandomAccessFile> file, std::unique_ptr<Inflater> inflater)
      : file_(std::move(file)), inflater_(std::move(inflater)) {}

  Status fill(size_t most);
  Status fill_inflated(size_t most);

  std::unique_ptr<RandomAccessFile> file_;
  std::unique_ptr<Inflater> inflater_;  // null: the file is not compressed
  uint64_t file_offset_ = 0;
  std::string compressed_;  // what the inflater has not taken
  std::string buffer_;      // what has been read, from at_ on
  size_t at_ = 0;
};

}  // namespace tinytf
