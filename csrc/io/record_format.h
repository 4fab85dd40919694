#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tinytf {

// How a record stands in a file: its length in 8 bytes, the masked CRC-32C of these, its content, and the masked
// CRC-32C of that; little-endian. The file has nothing else.

inline constexpr size_t kRecordHeaderBytes = 12;
inline constexpr size_t kRecordFooterBytes = 4;
/// No record can be longer: its place in a file would not fit into 64 bits.
inline constexpr uint64_t kLongestRecord = UINT64_MAX - kRecordFooterBytes - 1;

/// What stands in front of a record of that many bytes.
std::array<char, kRecordHeaderBytes> record_header(uint64_t length);
/// What stands behind a record.
std::array<char, kRecordFooterBytes> record_footer(std::string_view content);
/// The whole record, at the end of `out`.
void append_record(std::string_view content, std::string* out);

/// The length that a header of kRecordHeaderBytes tells, which is still to be believed: DataLoss if the header is
/// damaged. `at` is where the record begins in its file, for messages.
Result<uint64_t> record_length(std::string_view header, uint64_t at);
/// DataLoss unless the footer of kRecordFooterBytes is that of the content.
Status check_record(std::string_view content, std::string_view footer, uint64_t at);
/// What is said of a record whose file ends within it.
Status truncated_record(uint64_t at);

/// Takes the record off the front of `bytes`, to which `content` then refers. DataLoss if it is damaged or cut off,
/// OutOfRange if not even a whole header is there.
Status take_record(std::string_view& bytes, uint64_t at, std::string_view* content);

}  // namespace tinytf
