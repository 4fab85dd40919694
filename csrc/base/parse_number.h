#pragma once

#include <cstdint>
#include <string_view>

namespace tinytf {

// Texts as numbers, as TensorFlow reads them whatever the locale; false for others. White space may stand around them.

/// Decimal digits, with a minus for negative ones. False beyond the type's numbers.
bool parse_number(std::string_view text, int32_t& value);
bool parse_number(std::string_view text, int64_t& value);
/// Also with a sign, a point and an exponent; "0x" and hexadecimal digits; "inf" and "nan" in any case. What is too
/// large is infinite.
bool parse_number(std::string_view text, float& value);
bool parse_number(std::string_view text, double& value);

/// As take_number of number_text.h, which is where reals are read.
bool take_number(std::string_view& text, double& value);

}  // namespace tinytf
