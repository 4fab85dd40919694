#include "io/record_reader.h"

#include "io/record_format.h"

namespace tinytf {

Result<RecordCompression> record_compression(std::string_view name) {
  if (name.empty()) return RecordCompression::kNone;
  if (name == "ZLIB") return RecordCompression::kZlib;
  if (name == "GZIP") return RecordCompression::kGzip;
  return invalid_argument("Not a valid compression_type: \"", name, "\"");
}

std::optional<DeflateFormat> deflate_format(RecordCompression compression) {
  if (compression == RecordCompression::kNone) return {};
  return compression == RecordCompression::kZlib ? DeflateFormat::kZlib : DeflateFormat::kGzip;
}

Result<std::unique_ptr<RecordReader>> RecordReader::open(const std::string& path, RecordCompression compression) {
  TINYTF_ASSIGN_OR_RETURN(ByteStream stream, ByteStream::open(path, deflate_format(compression)));
  return std::unique_ptr<RecordReader>(new RecordReader(std::move(stream)));
}

Status RecordReader::next(std::string_view* record) {
  if (status_.ok()) status_ = read(record);
  return status_;
}

Status RecordReader::next_ones(std::vector<std::string_view>* records) {
  records->clear();
  std::string_view record;
  TINYTF_RETURN_IF_ERROR(next(&record));
  records->push_back(record);
  for (std::string_view rest = stream_.ready(); rest.size() >= kRecordHeaderBytes; rest = stream_.ready()) {
    const Result<uint64_t> length = record_length(rest.substr(0, kRecordHeaderBytes), offset_);
    // A record that is incomplete or damaged is left to the next call.
    if (!length.ok() || length.value() + kRecordFooterBytes > rest.size() - kRecordHeaderBytes) break;
    if (!next(&record).ok()) break;
    records->push_back(record);
  }
  return Status();
}

Status RecordReader::skip(uint64_t bytes) {
  TINYTF_RETURN_IF_ERROR(stream_.skip(bytes - stream_.jump(bytes)));
  offset_ += bytes;
  return Status();
}

Status RecordReader::read(std::string_view* record) {
  TINYTF_ASSIGN_OR_RETURN(const bool has_header, stream_.has(kRecordHeaderBytes));
  if (!has_header) return Status(Code::kOutOfRange, "eof");
  TINYTF_ASSIGN_OR_RETURN(const uint64_t length, record_length(stream_.ready().substr(0, kRecordHeaderBytes), offset_));
  if (length > SIZE_MAX - kRecordHeaderBytes - kRecordFooterBytes) return truncated_record(offset_);
  const size_t whole = kRecordHeaderBytes + length + kRecordFooterBytes;
  TINYTF_ASSIGN_OR_RETURN(const bool has_all, stream_.has(whole));
  if (!has_all) return truncated_record(offset_);
  const std::string_view bytes = stream_.ready().substr(kRecordHeaderBytes, whole - kRecordHeaderBytes);
  TINYTF_RETURN_IF_ERROR(check_record(bytes.substr(0, length), bytes.substr(length), offset_));
  *record = bytes.substr(0, length);
  stream_.drop(whole);
  offset_ += whole;
  return Status();
}

}  // namespace tinytf
