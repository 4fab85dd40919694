#include "io/byte_stream.h"

#include <algorithm>

namespace tinytf {

namespace {

constexpr size_t kReadPiece = 1 << 18;   // Bytes read at a time.
constexpr size_t kLargePiece = 1 << 22;  // Bytes read at a time for large requests.
constexpr size_t kMostKept = 1 << 24;    // Buffer capacity that is kept after a large request, in bytes.

}  // namespace

Result<ByteStream> ByteStream::open(const std::string& path, std::optional<DeflateFormat> compression) {
  TINYTF_ASSIGN_OR_RETURN(auto file, RandomAccessFile::open(path));
  std::unique_ptr<Inflater> inflater;
  if (compression) {
    TINYTF_ASSIGN_OR_RETURN(inflater, make_inflater(*compression));
  }
  return ByteStream(std::move(file), std::move(inflater));
}

Result<bool> ByteStream::has(size_t bytes) {
  if (ready().size() >= bytes) return true;
  buffer_.erase(0, at_);
  at_ = 0;
  if (buffer_.capacity() > kMostKept && bytes < kReadPiece) buffer_.shrink_to_fit();
  while (buffer_.size() < bytes) {
    const size_t before = buffer_.size(), most = std::clamp(bytes - before, kReadPiece, kLargePiece);
    TINYTF_RETURN_IF_ERROR(inflater_ ? fill_inflated(most) : fill(most));
    if (buffer_.size() == before) return false;
  }
  return true;
}

/// Appends up to `most` bytes of the file; none at its end.
Status ByteStream::fill(size_t most) {
  const size_t before = buffer_.size();
  buffer_.resize(before + most);
  const Result<size_t> got = file_->read_some(file_offset_, buffer_.data() + before, most);
  buffer_.resize(before + (got.ok() ? got.value() : 0));
  TINYTF_RETURN_IF_ERROR(got.status());
  file_offset_ += got.value();
  return Status();
}

/// Same for the decompressed contents. As in TensorFlow, data after the first compressed stream is ignored.
Status ByteStream::fill_inflated(size_t most) {
  const size_t before = buffer_.size();
  while (buffer_.size() == before && !inflater_->ended()) {
    if (compressed_.empty()) {
      compressed_.resize(kReadPiece);
      const Result<size_t> got = file_->read_some(file_offset_, compressed_.data(), kReadPiece);
      compressed_.resize(got.ok() ? got.value() : 0);
      TINYTF_RETURN_IF_ERROR(got.status());
      file_offset_ += compressed_.size();
    }
    const bool is_end = compressed_.empty();
    std::string_view rest = compressed_;
    TINYTF_RETURN_IF_ERROR(inflater_->inflate(rest, most, &buffer_));
    compressed_.erase(0, compressed_.size() - rest.size());
    if (is_end) break;  // The output that zlib had held back has been appended.
  }
  return Status();
}

Status ByteStream::skip(uint64_t bytes) {
  while (bytes > 0) {
    TINYTF_ASSIGN_OR_RETURN(const bool more, has(1));
    if (!more) return Status(Code::kOutOfRange, "reached end of file");
    const size_t some = static_cast<size_t>(std::min<uint64_t>(bytes, ready().size()));
    drop(some);
    bytes -= some;
  }
  return Status();
}

uint64_t ByteStream::jump(uint64_t bytes) {
  if (inflater_) return 0;
  const uint64_t unread = file_->size() - std::min(file_offset_, file_->size());
  const uint64_t known = ready().size() + unread, jumped = std::min(bytes, known);
  const uint64_t dropped = std::min<uint64_t>(jumped, ready().size());
  drop(static_cast<size_t>(dropped));
  file_offset_ += jumped - dropped;
  return jumped;
}

}  // namespace tinytf
