#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/deflate.h"
#include "io/file.h"

namespace tinytf {

/// Buffering of records before compression. As in TensorFlow, since file sizes depend on it.
struct DeflateBuffer {
  size_t bytes = 1 << 18;                        ///< Maximum number of pending bytes; longer parts are not buffered.
  DeflateFlush when_full = DeflateFlush::kNone;  ///< Flush after the contents of a full buffer.
};

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
  Status close();

 private:
  RecordWriter(std::unique_ptr<Deflater> deflater, const DeflateBuffer& buffer)
      : deflater_(std::move(deflater)), buffer_(buffer) {}
  /// Adds a header, content or footer to the buffer; compresses it directly if it is too long for that.
  Status gather(std::string_view part);
  Status deflate(std::string_view bytes, DeflateFlush then);
  Status deflate_pending(DeflateFlush then);

  std::unique_ptr<WritableFile> file_;        // Created last, so that a lack of memory leaves no empty file.
  const std::unique_ptr<Deflater> deflater_;  // Null if the file is not compressed.
  const DeflateBuffer buffer_;
  std::string pending_;  // Bytes that the deflater has not received.
  bool is_open_ = true;
};

}  // namespace tinytf
