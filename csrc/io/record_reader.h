#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_stream.h"

namespace tinytf {

/// Compression of a whole file of records.
enum class RecordCompression { kNone, kZlib, kGzip };

/// "", "ZLIB" or "GZIP"; InvalidArgument for other names.
Result<RecordCompression> record_compression(std::string_view name);
/// The deflate format of such a file; nullopt for kNone.
std::optional<DeflateFormat> deflate_format(RecordCompression compression);

/// Reads a file of records sequentially. One thread at a time. Files may be damaged or hostile: memory is allocated as
/// data arrives, not by stored lengths.
class RecordReader {
 public:
  static Result<std::unique_ptr<RecordReader>> open(const std::string& path, RecordCompression compression);

  /// Reads the next record, valid until the next call. OutOfRange at the end, even within the first 12 bytes of a
  /// record; DataLoss if the file is damaged or ends within a record. After an error, all calls return it again.
  Status next(std::string_view* record);
  /// Reads the next record and the complete ones that are buffered; valid until the next call. Errors as for `next`.
  Status next_ones(std::vector<std::string_view>* records);

  /// Skips `bytes` bytes, to a record whose offset is known. OutOfRange if there are fewer.
  Status skip(uint64_t bytes);

  /// Offset of the next record in the decompressed file.
  uint64_t offset() const { return offset_; }

 private:
  explicit RecordReader(ByteStream stream) : stream_(std::move(stream)) {}

  Status read(std::string_view* record);

  ByteStream stream_;
  uint64_t offset_ = 0;
  Status status_;
};

}  // namespace tinytf
