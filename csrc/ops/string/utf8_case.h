#pragma once

#include <string>

namespace tinytf::ops {

/// Converts UTF-8 text to upper or lower case by Unicode's full mappings, independent of language: "ß" becomes "SS",
/// and a sigma at the end of a word takes its final form. Each maximal invalid sequence becomes U+FFFD.
std::string utf8_upper(const std::string& text);
std::string utf8_lower(const std::string& text);

}  // namespace tinytf::ops
