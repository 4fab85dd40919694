#include "io/record_writer.h"

#include <algorithm>

#include "io/record_format.h"

namespace tinytf {

Result<std::unique_ptr<RecordWriter>> RecordWriter::create(const std::string& path,
                                                           const std::optional<DeflateOptions>& deflate,
                                                           const DeflateBuffer& buffer) {
  std::unique_ptr<Deflater> deflater;
  if (deflate) {  // First, so that invalid options leave the file untouched.
    TINYTF_ASSIGN_OR_RETURN(deflater, make_deflater(*deflate));
  }
  std::unique_ptr<RecordWriter> writer(new RecordWriter(std::move(deflater), buffer));
  TINYTF_ASSIGN_OR_RETURN(writer->file_, WritableFile::create(path));
  return writer;
}

Status RecordWriter::write(std::string_view record) {
  if (!is_open_) return failed_precondition("Writer is closed");
  const auto header = record_header(record.size());
  const auto footer = record_footer(record);
  for (const std::string_view part :
       {std::string_view(header.data(), header.size()), record, std::string_view(footer.data(), footer.size())}) {
    TINYTF_RETURN_IF_ERROR(deflater_ ? gather(part) : file_->append(part));
  }
  return Status();
}

Status RecordWriter::flush() {
  if (!is_open_) return failed_precondition("Writer is closed");
  if (deflater_) TINYTF_RETURN_IF_ERROR(deflate_pending(DeflateFlush::kPartial));
  return file_->flush();
}

Status RecordWriter::close() {
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

Status RecordWriter::gather(std::string_view part) {
  if (part.size() > buffer_.bytes - std::min(pending_.size(), buffer_.bytes)) {
    TINYTF_RETURN_IF_ERROR(deflate_pending(buffer_.when_full));
    if (part.size() > buffer_.bytes) return deflate(part, buffer_.when_full);
  }
  pending_ += part;
  return Status();
}

Status RecordWriter::deflate(std::string_view bytes, DeflateFlush then) {
  std::string out;
  // Deflating nothing between two flushes would make zlib write a second flush.
  if (!bytes.empty()) TINYTF_RETURN_IF_ERROR(deflater_->deflate(bytes, &out));
  if (then != DeflateFlush::kNone) TINYTF_RETURN_IF_ERROR(deflater_->flush(then, &out));
  return file_->append(out);
}

Status RecordWriter::deflate_pending(DeflateFlush then) {
  TINYTF_RETURN_IF_ERROR(deflate(pending_, then));
  pending_.clear();
  return Status();
}

}  // namespace tinytf
