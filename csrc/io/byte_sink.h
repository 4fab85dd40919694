#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/deflate.h"
#include "io/file.h"

namespace tinytf {

/// Buffering of bytes before compression. As in TensorFlow, since file sizes depend on it.
struct DeflateBuffer {
  size_t bytes = 1 << 18;                        ///< Maximum number of pending bytes; longer parts are not buffered.
  DeflateFlush when_full = DeflateFlush::kNone;  ///< Flush after the contents of a full buffer.
};

/// Writes the bytes of a file sequentially, compressing them if the file is compressed. One thread at a time; after an
/// error it can only be closed.
class ByteSink {
 public:
  /// Creates a file, replacing an existing one; compressed if `deflate` is set.
  static Result<ByteSink> create(const std::string& path, const std::optional<DeflateOptions>& deflate = {},
                                 const DeflateBuffer& buffer = {});

  Status append(std::string_view part);
  /// Writes all bytes to the system, so that they can be read; in a compressed file this costs some bytes.
  Status flush();
  /// Completes the file. Idempotent. Without it the end of the file may be missing.
  Status close();
  bool is_open() const { return is_open_; }

 private:
  ByteSink(std::unique_ptr<Deflater> deflater, const DeflateBuffer& buffer)
      : deflater_(std::move(deflater)), buffer_(buffer) {}
  Status deflate(std::string_view bytes, DeflateFlush then);
  Status deflate_pending(DeflateFlush then);

  std::unique_ptr<WritableFile> file_;  // Created last, so that a lack of memory leaves no empty file.
  std::unique_ptr<Deflater> deflater_;  // Null if the file is not compressed.
  DeflateBuffer buffer_;
  std::string pending_;  // Bytes that the deflater has not received.
  bool is_open_ = true;
};

}  // namespace tinytf
