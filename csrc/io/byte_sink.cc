#include "io/byte_sink.h"

#include <algorithm>

namespace tinytf {

Result<ByteSink> ByteSink::create(const std::string& path, const std::optional<DeflateOptions>& deflate,
                                  const DeflateBuffer& buffer) {
  std::unique_ptr<Deflater> deflater;
  if (deflate) {  // First, so that invalid options leave the file untouched.
    TINYTF_ASSIGN_OR_RETURN(deflater, make_deflater(*deflate));
  }
  ByteSink sink(std::move(deflater), buffer);
  TINYTF_ASSIGN_OR_RETURN(sink.file_, WritableFile::create(path));
  return sink;
}

Status ByteSink::append(std::string_view part) {
  if (!deflater_) return file_->append(part);
  if (part.size() > buffer_.bytes - std::min(pending_.size(), buffer_.bytes)) {
    TINYTF_RETURN_IF_ERROR(deflate_pending(buffer_.when_full));
    if (part.size() > buffer_.bytes) return deflate(part, buffer_.when_full);
  }
  pending_ += part;
  return Status();
}

Status ByteSink::flush() {
  if (deflater_) TINYTF_RETURN_IF_ERROR(deflate_pending(DeflateFlush::kPartial));
  return file_->flush();
}

Status ByteSink::close() {
  if (!is_open_) return Status();
  is_open_ = false;
  Status status;
  if (deflater_) {
    status = deflate_pending(DeflateFlush::kNone);
    std::string out;
    if (status.ok()) status = deflater_->finish(&out);
    if (status.ok()) status = file_->append(out);
  }
  const Status closed = file_->close();
  return status.ok() ? closed : status;
}

Status ByteSink::deflate(std::string_view bytes, DeflateFlush then) {
  std::string out;
  // Deflating nothing between two flushes would make zlib write a second flush.
  if (!bytes.empty()) TINYTF_RETURN_IF_ERROR(deflater_->deflate(bytes, &out));
  if (then != DeflateFlush::kNone) TINYTF_RETURN_IF_ERROR(deflater_->flush(then, &out));
  return file_->append(out);
}

Status ByteSink::deflate_pending(DeflateFlush then) {
  TINYTF_RETURN_IF_ERROR(deflate(pending_, then));
  pending_.clear();
  return Status();
}

}  // namespace tinytf
