#pragma once

#include <string>

namespace tinytf::ops {

/// UTF-8 text in another case by Unicode's full mappings, of no particular language: "ß" becomes "SS", a sigma at the
/// end of a word its final form. Each maximal piece that is no UTF-8 becomes U+FFFD.
std::string utf8_upper(const std::string& text);
std::string utf8_lower(const std::string& text);

}  // namespace tinytf::ops
