#include "io/record_format.h"

#include <cstring>

#include "base/crc32c.h"

namespace tinytf {

namespace {

constexpr size_t kLengthBytes = 8;

template <class T>
void store(T value, char* to) {
  for (size_t i = 0; i < sizeof value; ++i) to[i] = static_cast<char>(value >> (8 * i));
}

template <class T>
T load(const char* from) {
  T value = 0;
  for (size_t i = 0; i < sizeof value; ++i) value |= T{static_cast<unsigned char>(from[i])} << (8 * i);
  return value;
}

Status corrupted_record(uint64_t at) { return Status(Code::kDataLoss, str_cat("corrupted record at ", at)); }

}  // namespace

std::array<char, kRecordHeaderBytes> record_header(uint64_t length) {
  std::array<char, kRecordHeaderBytes> header;
  store(length, header.data());
  store(masked_crc32c(header.data(), kLengthBytes), header.data() + kLengthBytes);
  return header;
}

std::array<char, kRecordFooterBytes> record_footer(std::string_view content) {
  std::array<char, kRecordFooterBytes> footer;
  store(masked_crc32c(content.data(), content.size()), footer.data());
  return footer;
}

void append_record(std::string_view content, std::string* out) {
  const auto header = record_header(content.size());
  const auto footer = record_footer(content);
  out->reserve(out->size() + header.size() + content.size() + footer.size());
  out->append(header.data(), header.size()).append(content).append(footer.data(), footer.size());
}

Result<uint64_t> record_length(std::string_view header, uint64_t at) {
  if (load<uint32_t>(header.data() + kLengthBytes) != masked_crc32c(header.data(), kLengthBytes)) {
    return corrupted_record(at);
  }
  const auto length = load<uint64_t>(header.data());
  if (length > kLongestRecord) return Status(Code::kDataLoss, "record size too large");
  return length;
}

Status check_record(std::string_view content, std::string_view footer, uint64_t at) {
  if (load<uint32_t>(footer.data()) == masked_crc32c(content.data(), content.size())) return Status();
  return corrupted_record(at + kRecordHeaderBytes);
}

Status truncated_record(uint64_t at) { return Status(Code::kDataLoss, str_cat("truncated record at ", at)); }

Status take_record(std::string_view& bytes, uint64_t at, std::string_view* content) {
  if (bytes.size() < kRecordHeaderBytes) return Status(Code::kOutOfRange, "eof");
  TINYTF_ASSIGN_OR_RETURN(const uint64_t length, record_length(bytes.substr(0, kRecordHeaderBytes), at));
  const std::string_view rest = bytes.substr(kRecordHeaderBytes);
  if (rest.size() < kRecordFooterBytes || length > rest.size() - kRecordFooterBytes) return truncated_record(at);
  const std::string_view record = rest.substr(0, length);
  TINYTF_RETURN_IF_ERROR(check_record(record, rest.substr(length, kRecordFooterBytes), at));
  *content = record;
  bytes = rest.substr(length + kRecordFooterBytes);
  return Status();
}

}  // namespace tinytf
