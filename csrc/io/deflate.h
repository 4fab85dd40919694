#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tinytf {

// Compression by deflate. The engine links no library for it; the embedding program provides a codec, as the Python
// module does with Python's zlib.

/// Container of the compressed data: zlib's header and checksum, gzip's, or none.
enum class DeflateFormat { kZlib, kGzip, kRaw };

/// Parameters with zlib's values and meanings.
struct DeflateOptions {
  DeflateFormat format = DeflateFormat::kZlib;
  int level = -1;        ///< 0 to 9; -1 for zlib's default.
  int window_bits = 15;  ///< 9 to 15, for every format.
  int memory_level = 8;
  int strategy = 0;
};

/// The kind of flush: zlib's Z_…_FLUSH. Other values of zlib may be passed, too.
enum class DeflateFlush : int { kNone = 0, kPartial = 1, kSync = 2, kFull = 3 };

/// Decompresses one stream. One thread at a time.
class Inflater {
 public:
  virtual ~Inflater() = default;
  /// Decompresses from the front of `input`, removes the consumed bytes from it, and appends at most `most` bytes to
  /// `out`. Output may be held back although all input was consumed: call again with empty input until none is
  /// appended. DataLoss, in zlib's words, if the stream is damaged.
  virtual Status inflate(std::string_view& input, size_t most, std::string* out) = 0;
  /// Whether the stream has ended; then nothing more is consumed or produced.
  virtual bool ended() const = 0;
};

/// Compresses one stream. One thread at a time; output is appended to `out`.
class Deflater {
 public:
  virtual ~Deflater() = default;
  virtual Status deflate(std::string_view input, std::string* out) = 0;
  /// No-op for kNone. DataLoss for values that zlib does not know.
  virtual Status flush(DeflateFlush how, std::string* out) = 0;
  /// Ends the stream; nothing may follow.
  virtual Status finish(std::string* out) = 0;
};

/// Makes streams. Callable from any thread, but not with a contended lock held, since it may wait for the GIL.
class DeflateCodec {
 public:
  virtual ~DeflateCodec() = default;
  virtual Result<std::unique_ptr<Inflater>> inflater(DeflateFormat format) = 0;
  /// InvalidArgument for unsupported options.
  virtual Result<std::unique_ptr<Deflater>> deflater(const DeflateOptions& options) = 0;
};

/// Set once, before the first use; tests may replace it. Not owned.
void set_deflate_codec(DeflateCodec* codec);
/// Null if no codec is set.
DeflateCodec* deflate_codec();

/// Unimplemented if no codec is set.
Result<std::unique_ptr<Inflater>> make_inflater(DeflateFormat format);
Result<std::unique_ptr<Deflater>> make_deflater(const DeflateOptions& options);

/// Compresses the bytes into one stream.
Result<std::string> deflate(std::string_view bytes, const DeflateOptions& options = {});
/// Decompresses one stream; data after it is ignored. ResourceExhausted if the output exceeds `most` bytes, DataLoss if
/// the stream is damaged or incomplete.
Result<std::string> inflate(std::string_view bytes, DeflateFormat format, size_t most);

}  // namespace tinytf
