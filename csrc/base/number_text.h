#pragma once

#include <string>
#include <string_view>

namespace tinytf {

/// Formats a number as TensorFlow prints it, independent of the locale: with 6 (float) or 15 (double) digits if these
/// read back as the same value, else with 9 or 17. Also "inf", "-inf" and "nan". For messages, not for hot paths.
std::string number_text(float value);
std::string number_text(double value);

/// The shortest decimal number that reads back as the same value, in Python's format: "0.1", "1.0", "1e-05".
std::string shortest_text(float value);

/// Parses a decimal number at the front of `text`, independent of the locale, and removes it from `text`. Returns false
/// if there is none.
bool take_number(std::string_view& text, float& value);
bool take_number(std::string_view& text, double& value);

}  // namespace tinytf
