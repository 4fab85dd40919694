#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/iterator.h"
#include "io/byte_stream.h"

namespace tinytf::ops {

/// The contents of a file for the iterator of a dataset: a ByteStream that ends with the step, repeats its error, and
/// knows its offset. One thread at a time.
class FileBytes {
 public:
  static Result<FileBytes> open(const std::string& name, std::optional<DeflateFormat> compression);

  /// Reads until `bytes` bytes are ready; false if the file ends before that. After an error, which is none of the
  /// step's end, all calls fail with it.
  Result<bool> has(const data::IteratorContext& ctx, uint64_t bytes);
  /// Bytes that have been read and not dropped; valid until the next call of another method.
  std::string_view ready() const { return stream_.ready(); }
  /// Drops the first `bytes` of the ready bytes.
  void drop(size_t bytes) {
    stream_.drop(bytes);
    offset_ += bytes;
  }
  /// Drops `bytes` bytes, ready or not; false if the file ends before that.
  Result<bool> skip(const data::IteratorContext& ctx, uint64_t bytes);
  /// As ByteStream::is_cut.
  bool is_cut() const { return stream_.is_cut(); }
  /// The offset of the first byte that was not dropped.
  uint64_t offset() const { return offset_; }

 private:
  explicit FileBytes(ByteStream stream) : stream_(std::move(stream)) {}

  ByteStream stream_;
  uint64_t offset_ = 0;
  Status error_;
};

/// Opens a file again at an offset that an iterator has stored. DataLoss if the file is shorter.
Result<FileBytes> reopened(const data::IteratorContext& ctx, const std::string& name,
                           std::optional<DeflateFormat> compression, uint64_t offset);

}  // namespace tinytf::ops
