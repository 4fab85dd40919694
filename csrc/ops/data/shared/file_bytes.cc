#include "ops/data/shared/file_bytes.h"

#include <algorithm>

namespace tinytf::ops {

namespace {

/// Bytes that are read between two looks at whether the step is over.
constexpr uint64_t kPiece = uint64_t{1} << 20;

}  // namespace

Result<FileBytes> FileBytes::open(const std::string& name, std::optional<DeflateFormat> compression) {
  TINYTF_ASSIGN_OR_RETURN(ByteStream stream, ByteStream::open(name, compression));
  return FileBytes(std::move(stream));
}

Result<bool> FileBytes::has(const data::IteratorContext& ctx, uint64_t bytes) {
  while (stream_.ready().size() < bytes) {
    TINYTF_RETURN_IF_ERROR(error_);
    TINYTF_RETURN_IF_ERROR(ctx.check());
    const uint64_t part = std::min<uint64_t>(bytes, stream_.ready().size() + kPiece);
    const Result<bool> has_part = stream_.has(static_cast<size_t>(part));
    if (!has_part.ok()) error_ = has_part.status();
    TINYTF_RETURN_IF_ERROR(error_);
    if (!has_part.value()) return false;
  }
  return true;
}

Result<bool> FileBytes::skip(const data::IteratorContext& ctx, uint64_t bytes) {
  while (bytes > 0) {
    TINYTF_RETURN_IF_ERROR(error_);
    TINYTF_RETURN_IF_ERROR(ctx.check());
    const uint64_t jumped = stream_.jump(bytes);
    offset_ += jumped;
    bytes -= jumped;
    if (bytes == 0) break;
    TINYTF_ASSIGN_OR_RETURN(const bool has_more, has(ctx, 1));
    if (!has_more) return false;
    const auto some = static_cast<size_t>(std::min<uint64_t>(bytes, stream_.ready().size()));
    drop(some);
    bytes -= some;
  }
  return true;
}

Result<FileBytes> reopened(const data::IteratorContext& ctx, const std::string& name,
                           std::optional<DeflateFormat> compression, uint64_t offset) {
  TINYTF_ASSIGN_OR_RETURN(FileBytes bytes, FileBytes::open(name, compression));
  TINYTF_ASSIGN_OR_RETURN(const bool has_offset, bytes.skip(ctx, offset));
  if (has_offset) return bytes;
  return Status(Code::kDataLoss, str_cat("The saved position of the iterator is behind the end of ", name));
}

}  // namespace tinytf::ops
