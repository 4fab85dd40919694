#pragma once

#include <string>

namespace tinytf::ops {

/// Whether the byte is the first of a UTF-8 sequence.
inline bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

/// Converts UTF-8 text to upper or lower case by Unicode's full mappings, independent of language: "ß" becomes "SS",
/// and a sigma at the end of a word takes its final form. Each maximal invalid sequence becomes U+FFFD.
std::string utf8_upper(const std::string& text);
std::string utf8_lower(const std::string& text);

}  // namespace tinytf::ops
