#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_stream.h"

namespace tinytf {

/// How a whole file of records is compressed.
enum class RecordCompression { kNone, kZlib, kGzip };

/// "", "ZLIB" or "GZIP"; InvalidArgument for other names.
Result<RecordCompression> record_compression(std::string_view name);
/// What the bytes of such a file are; nothing for kNone.
std::optional<DeflateFormat> deflate_format(RecordCompression compression);

/// Reads a file of records from its front on. One thread at a time. Files may be damaged or hostile: memory is taken as
/// data comes, whatever a length says.
class RecordReader {
 public:
  static Result<std::unique_ptr<RecordReader>> open(const std::string& path, RecordCompression compression);

  /// The next record, which lives until the next call. OutOfRange at the end, also where it cuts the first 12 bytes of
  /// a record; DataLoss where the file is damaged or ends within a record. After an error it says the same again.
  Status next(std::string_view* record);
  /// The next record and those that were read with it; they live until the next call. If there is none, as `next`.
  Status next_ones(std::vector<std::string_view>* records);

  /// Where in the file, once it is decompressed, the next record begins.
  uint64_t offset() const { return offset_; }

 private:
  explicit RecordReader(ByteStream stream) : stream_(std::move(stream)) {}

  Status read(std::string_view* record);

  ByteStream stream_;
  uint64_t offset_ = 0;
  Status status_;
};

}  // namespace tinytf
