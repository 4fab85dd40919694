#include "io/deflate.h"

#include <algorithm>
#include <atomic>

namespace tinytf {

namespace {

constexpr size_t kInflatedPiece = 1 << 20;  // Output bytes per call.

std::atomic<DeflateCodec*> codec{nullptr};

Status no_codec() {
  return unimplemented("No codec for zlib data is set: the embedding program must call set_deflate_codec()");
}

}  // namespace

void set_deflate_codec(DeflateCodec* lent) { codec = lent; }
DeflateCodec* deflate_codec() { return codec; }

Result<std::unique_ptr<Inflater>> make_inflater(DeflateFormat format) {
  DeflateCodec* lent = codec;
  return lent != nullptr ? lent->inflater(format) : no_codec();
}

Result<std::unique_ptr<Deflater>> make_deflater(const DeflateOptions& options) {
  DeflateCodec* lent = codec;
  return lent != nullptr ? lent->deflater(options) : no_codec();
}

Result<std::string> deflate(std::string_view bytes, const DeflateOptions& options) {
  TINYTF_ASSIGN_OR_RETURN(const std::unique_ptr<Deflater> stream, make_deflater(options));
  std::string out;
  TINYTF_RETURN_IF_ERROR(stream->deflate(bytes, &out));
  TINYTF_RETURN_IF_ERROR(stream->finish(&out));
  return out;
}

Result<std::string> inflate(std::string_view bytes, DeflateFormat format, size_t most) {
  TINYTF_ASSIGN_OR_RETURN(const std::unique_ptr<Inflater> stream, make_inflater(format));
  std::string out;
  while (!stream->ended()) {
    const size_t before = out.size(), input_before = bytes.size();
    // Allowing one byte more than `most` detects excess output.
    TINYTF_RETURN_IF_ERROR(stream->inflate(bytes, std::min(kInflatedPiece, most - out.size() + 1), &out));
    if (out.size() > most) {
      return Status(Code::kResourceExhausted, str_cat("The decompressed data have more than ", most, " bytes"));
    }
    if (out.size() == before && bytes.size() == input_before && !stream->ended()) {
      return Status(Code::kDataLoss, "inflate() failed with error -5: incomplete or truncated stream");
    }
  }
  return out;
}

}  // namespace tinytf
