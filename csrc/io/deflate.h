#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tinytf {

// Compression by deflate. The engine links no library for it: whoever embeds the engine lends it one, as the Python
// module does with Python's zlib.

/// What stands around the compressed data: zlib's header and checksum, gzip's, or nothing.
enum class DeflateFormat { kZlib, kGzip, kRaw };

/// zlib's own numbers, with zlib's meanings.
struct DeflateOptions {
  DeflateFormat format = DeflateFormat::kZlib;
  int level = -1;        ///< 0 to 9; -1: zlib's choice
  int window_bits = 15;  ///< 9 to 15, whatever the format
  int memory_level = 8;
  int strategy = 0;
};

/// What `flush` does beside handing out what can be: zlib's Z_…_FLUSH. Other numbers of zlib's may be given, too.
enum class DeflateFlush : int { kNone = 0, kPartial = 1, kSync = 2, kFull = 3 };

/// One stream that is decompressed. For one thread at a time.
class Inflater {
 public:
  virtual ~Inflater() = default;
  /// Decompresses from the front of `input`, which is moved behind what was taken, and appends at most `most` bytes to
  /// `out`. Some may be kept back although all input was taken: call again, with no more input, until none come.
  /// DataLoss, in zlib's words, where the stream is damaged.
  virtual Status inflate(std::string_view& input, size_t most, std::string* out) = 0;
  /// Whether the stream has ended: then no more is taken, nor comes.
  virtual bool ended() const = 0;
};

/// One stream that is compressed. For one thread at a time; what comes out is appended to `out`.
class Deflater {
 public:
  virtual ~Deflater() = default;
  virtual Status deflate(std::string_view input, std::string* out) = 0;
  /// Nothing for kNone. DataLoss for what zlib does not know.
  virtual Status flush(DeflateFlush how, std::string* out) = 0;
  /// The end of the stream; nothing may follow.
  virtual Status finish(std::string* out) = 0;
};

/// Makes streams. Any thread may ask, holding no lock that others need: it may wait for Python's.
class DeflateCodec {
 public:
  virtual ~DeflateCodec() = default;
  virtual Result<std::unique_ptr<Inflater>> inflater(DeflateFormat format) = 0;
  /// InvalidArgument for options that it does not know.
  virtual Result<std::unique_ptr<Deflater>> deflater(const DeflateOptions& options) = 0;
};

/// Set once, before the first use; tests may set another. Not owned.
void set_deflate_codec(DeflateCodec* codec);
/// Null if nobody lends one.
DeflateCodec* deflate_codec();

/// Unimplemented where there is no codec.
Result<std::unique_ptr<Inflater>> make_inflater(DeflateFormat format);
Result<std::unique_ptr<Deflater>> make_deflater(const DeflateOptions& options);

/// The bytes as one stream.
Result<std::string> deflate(std::string_view bytes, const DeflateOptions& options = {});
/// What one stream holds; what follows it does not count. ResourceExhausted if it is more than `most` bytes, DataLoss
/// where the stream is damaged or does not end.
Result<std::string> inflate(std::string_view bytes, DeflateFormat format, size_t most);

}  // namespace tinytf
