#include "io/record_reader.h"

#include <algorithm>

#include "io/record_format.h"

namespace tinytf {

namespace {

constexpr size_t kPiece = 1 << 18;       // bytes that are read at a time
constexpr size_t kLargePiece = 1 << 22;  // the same where a record needs more
constexpr size_t kMostKept = 1 << 24;    // memory that stays when a record has gone

}  // namespace

Result<RecordCompression> record_compression(std::string_view name) {
  if (name.empty()) return RecordCompression::kNone;
  if (name == "ZLIB") return RecordCompression::kZlib;
  if (name == "GZIP") return RecordCompression::kGzip;
  return invalid_argument("Not a valid compression_type: \"", name, "\"");
}

Result<std::unique_ptr<RecordReader>> RecordReader::open(const std::string& path, RecordCompression compression) {
  TINYTF_ASSIGN_OR_RETURN(auto file, RandomAccessFile::open(path));
  std::unique_ptr<Inflater> inflater;
  if (compression != RecordCompression::kNone) {
    const bool is_zlib = compression == RecordCompression::kZlib;
    TINYTF_ASSIGN_OR_RETURN(inflater, make_inflater(is_zlib ? DeflateFormat::kZlib : DeflateFormat::kGzip));
  }
  return std::unique_ptr<RecordReader>(new RecordReader(std::move(file), std::move(inflater)));
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
  for (std::string_view rest = ready(); rest.size() >= kRecordHeaderBytes; rest = ready()) {
    const Result<uint64_t> length = record_length(rest.substr(0, kRecordHeaderBytes), offset_);
    // What is not all there, or damaged, is for the next call.
    if (!length.ok() || length.value() + kRecordFooterBytes > rest.size() - kRecordHeaderBytes) break;
    if (!next(&record).ok()) break;
    records->push_back(record);
  }
  return Status();
}

Status RecordReader::read(std::string_view* record) {
  TINYTF_ASSIGN_OR_RETURN(const bool has_header, has(kRecordHeaderBytes));
  if (!has_header) return Status(Code::kOutOfRange, "eof");
  TINYTF_ASSIGN_OR_RETURN(const uint64_t length, record_length(ready().substr(0, kRecordHeaderBytes), offset_));
  if (length > SIZE_MAX - kRecordHeaderBytes - kRecordFooterBytes) return truncated_record(offset_);
  const size_t whole = kRecordHeaderBytes + length + kRecordFooterBytes;
  TINYTF_ASSIGN_OR_RETURN(const bool has_all, has(whole));
  if (!has_all) return truncated_record(offset_);
  const std::string_view bytes = ready().substr(kRecordHeaderBytes, whole - kRecordHeaderBytes);
  TINYTF_RETURN_IF_ERROR(check_record(bytes.substr(0, length), bytes.substr(length), offset_));
  *record = bytes.substr(0, length);
  at_ += whole;
  offset_ += whole;
  return Status();
}

/// Whether so many bytes are ready, once what there is was read.
Result<bool> RecordReader::has(size_t bytes) {
  if (ready().size() >= bytes) return true;
  buffer_.erase(0, at_);
  at_ = 0;
  if (buffer_.capacity() > kMostKept && bytes < kPiece) buffer_.shrink_to_fit();
  while (buffer_.size() < bytes) {
    const size_t before = buffer_.size(), most = std::clamp(bytes - before, kPiece, kLargePiece);
    TINYTF_RETURN_IF_ERROR(inflater_ ? fill_inflated(most) : fill(most));
    if (buffer_.size() == before) return false;
  }
  return true;
}

/// Appends up to `most` bytes of the file; none at its end.
Status RecordReader::fill(size_t most) {
  const size_t before = buffer_.size();
  buffer_.resize(before + most);
  const Result<size_t> got = file_->read_some(file_offset_, buffer_.data() + before, most);
  buffer_.resize(before + (got.ok() ? got.value() : 0));
  TINYTF_RETURN_IF_ERROR(got.status());
  file_offset_ += got.value();
  return Status();
}

/// The same of what the file holds. As in TensorFlow, whatever follows the first stream does not count.
Status RecordReader::fill_inflated(size_t most) {
  const size_t before = buffer_.size();
  while (buffer_.size() == before && !inflater_->ended()) {
    if (compressed_.empty()) {
      compressed_.resize(kPiece);
      const Result<size_t> got = file_->read_some(file_offset_, compressed_.data(), kPiece);
      compressed_.resize(got.ok() ? got.value() : 0);
      TINYTF_RETURN_IF_ERROR(got.status());
      file_offset_ += compressed_.size();
    }
    const bool is_end = compressed_.empty();
    std::string_view rest = compressed_;
    TINYTF_RETURN_IF_ERROR(inflater_->inflate(rest, most, &buffer_));
    compressed_.erase(0, compressed_.size() - rest.size());
    if (is_end) break;  // what zlib had kept back has come
  }
  return Status();
}

}  // namespace tinytf
