#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/deflate.h"
#include "io/file.h"

namespace tinytf {

/// How records are gathered that are to be compressed, as TensorFlow gathers them: sizes of files depend on it.
struct DeflateBuffer {
  size_t bytes = 1 << 18;                        ///< that wait for more, at most; what is longer does not wait
  DeflateFlush when_full = DeflateFlush::kNone;  ///< what follows what a full buffer had
};

/// Writes a file of records from its front on. One thread at a time; after an error all that is left is to close it.
class RecordWriter {
 public:
  /// A new file, in place of one that is there; compressed as `deflate` says, if it does.
  static Result<std::unique_ptr<RecordWriter>> create(const std::string& path,
                                                      const std::optional<DeflateOptions>& deflate = {},
                                                      const DeflateBuffer& buffer = {});

  Status write(std::string_view record);
  /// Hands what was written to the system, so that it can be read; in a compressed file that costs some bytes.
  Status flush();
  /// Completes the file. Idempotent. Without it the file may lack its end.
  Status close();

 private:
  RecordWriter(std::unique_ptr<WritableFile> file, std::unique_ptr<Deflater> deflater, const DeflateBuffer& buffer)
      : file_(std::move(file)), deflater_(std::move(deflater)), buffer_(buffer) {}
  /// A header, a content or a footer, into the buffer if it has room.
  Status gather(std::string_view part);
  Status deflate(std::string_view bytes, DeflateFlush then);
  Status deflate_pending(DeflateFlush then);

  const std::unique_ptr<WritableFile> file_;
  const std::unique_ptr<Deflater> deflater_;  // null: the file is not compressed
  const DeflateBuffer buffer_;
  std::string pending_;  // what the deflater has not got
  bool is_open_ = true;
};

}  // namespace tinytf
