#include "io/record_writer.h"

#include "io/record_format.h"

namespace tinytf {

namespace {

constexpr size_t kPiece = 1 << 18;  // bytes that are compressed at a time

}  // namespace

Result<std::unique_ptr<RecordWriter>> RecordWriter::create(const std::string& path,
                                                           const std::optional<DeflateOptions>& deflate) {
  std::unique_ptr<Deflater> deflater;
  if (deflate) {  // first: options that there are not leave the file as it is
    TINYTF_ASSIGN_OR_RETURN(deflater, make_deflater(*deflate));
  }
  TINYTF_ASSIGN_OR_RETURN(auto file, WritableFile::create(path));
  return std::unique_ptr<RecordWriter>(new RecordWriter(std::move(file), std::move(deflater)));
}

Status RecordWriter::write(std::string_view record) {
  if (!is_open_) return failed_precondition("Writer is closed");
  if (deflater_) {
    append_record(record, &pending_);
    return pending_.size() < kPiece ? Status() : deflate_pending();
  }
  const auto header = record_header(record.size());
  const auto footer = record_footer(record);
  TINYTF_RETURN_IF_ERROR(file_->append({header.data(), header.size()}));
  TINYTF_RETURN_IF_ERROR(file_->append(record));
  return file_->append({footer.data(), footer.size()});
}

Status RecordWriter::flush(std::optional<DeflateFlush> how) {
  if (!is_open_) return failed_precondition("Writer is closed");
  if (deflater_) {
    TINYTF_RETURN_IF_ERROR(deflate_pending());
    std::string out;
    if (how) TINYTF_RETURN_IF_ERROR(deflater_->flush(*how, &out));
    TINYTF_RETURN_IF_ERROR(file_->append(out));
  }
  return file_->flush();
}

Status RecordWriter::close() {
  if (!is_open_) return Status();
  is_open_ = false;
  Status status;
  if (deflater_) {
    status = deflate_pending();
    std::string out;
    if (status.ok()) status = deflater_->finish(&out);
    if (status.ok()) status = file_->append(out);
  }
  const Status closed = file_->close();
  return status.ok() ? closed : status;
}

Status RecordWriter::deflate_pending() {
  std::string out;
  TINYTF_RETURN_IF_ERROR(deflater_->deflate(pending_, &out));
  pending_.clear();
  return file_->append(out);
}

}  // namespace tinytf
