#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/deflate.h"
#include "io/file.h"

namespace tinytf {

/// Reads the bytes of a file sequentially, decompressing them if the file is compressed. One thread at a time. Memory
/// is allocated as bytes arrive, however many are requested.
class ByteStream {
 public:
  static Result<ByteStream> open(const std::string& path, std::optional<DeflateFormat> compression = {});

  /// Reads until `bytes` bytes are ready; returns false if the file ends before that.
  Result<bool> has(size_t bytes);
  /// Bytes that have been read and not dropped; valid until the next call of another method.
  std::string_view ready() const { return std::string_view(buffer_).substr(at_); }
  /// Drops the first `bytes` of the ready bytes.
  void drop(size_t bytes) { at_ += bytes; }
  /// Drops `bytes` bytes, ready or not; OutOfRange "reached end of file" if there are fewer.
  Status skip(uint64_t bytes);
  /// Skips up to `bytes` bytes without reading them, as far as the file is known to reach, and returns their number: 0
  /// if the file is compressed.
  uint64_t jump(uint64_t bytes);
  /// Whether compressed data has not ended, once has() has found no more bytes: its end is missing.
  bool is_cut() const { return inflater_ && !inflater_->ended(); }

 private:
  ByteStream(std::unique_ptr<RandomAccessFile> file, std::unique_ptr<Inflater> inflater)
      : file_(std::move(file)), inflater_(std::move(inflater)) {}

  Status fill(size_t most);
  Status fill_inflated(size_t most);

  std::unique_ptr<RandomAccessFile> file_;
  std::unique_ptr<Inflater> inflater_;  // Null if the file is not compressed.
  uint64_t file_offset_ = 0;
  std::string compressed_;  // Input that the inflater has not consumed.
  std::string buffer_;      // Bytes read; the ready ones start at at_.
  size_t at_ = 0;
};

}  // namespace tinytf
