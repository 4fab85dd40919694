#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tinytf {

// Format of a record: its length in 8 bytes, the masked CRC-32C of these, its content, and the masked CRC-32C of the
// content; little-endian. The file has nothing else.

inline constexpr size_t kRecordHeaderBytes = 12;
inline constexpr size_t kRecordFooterBytes = 4;
/// No record can be longer: its position in a file would not fit in 64 bits.
inline constexpr uint64_t kLongestRecord = UINT64_MAX - kRecordFooterBytes - 1;

/// Bytes before a record of that length.
std::array<char, kRecordHeaderBytes> record_header(uint64_t length);
/// Bytes after a record.
std::array<char, kRecordFooterBytes> record_footer(std::string_view content);
/// Appends the whole record to `out`.
void append_record(std::string_view content, std::string* out);

/// Returns the length in a header of kRecordHeaderBytes, not yet checked against the file; DataLoss if the header is
/// damaged. `at` is the record's offset in its file, for messages.
Result<uint64_t> record_length(std::string_view header, uint64_t at);
/// DataLoss unless the footer of kRecordFooterBytes matches the content.
Status check_record(std::string_view content, std::string_view footer, uint64_t at);
/// The error for a record whose file ends within it.
Status truncated_record(uint64_t at);

/// Removes the record at the front of `bytes`; `content` then refers to it. DataLoss if it is damaged or cut off,
/// OutOfRange if there is not even a complete header.
Status take_record(std::string_view& bytes, uint64_t at, std::string_view* content);

}  // namespace tinytf
