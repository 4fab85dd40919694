#pragma once

#include <cstdint>
#include <string_view>

namespace tinytf {

// These parse a whole text as a number, as TensorFlow does, independent of the locale, and return false for any other
// text. White space around the number is ignored.

/// Accepts decimal digits with an optional minus sign. Returns false if the number is out of the type's range.
bool parse_number(std::string_view text, int32_t& value);
bool parse_number(std::string_view text, int64_t& value);
/// Accepts an optional sign, decimal point and exponent; "0x" with hexadecimal digits; "inf" and "nan" in any case.
/// Numbers that are too large become infinite.
bool parse_number(std::string_view text, float& value);
bool parse_number(std::string_view text, double& value);

}  // namespace tinytf
