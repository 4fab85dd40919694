#pragma once

#include <string>
#include <string_view>

namespace tinytf {

/// A number as TensorFlow prints it, whatever the locale: with 6 digits (float) or 15 (double) if they read back the
/// same, else with 9 or 17. "inf", "-inf" and "nan". For messages, not for hot paths.
std::string number_text(float value);
std::string number_text(double value);

/// As Python prints the shortest decimal number that reads back the same: "0.1", "1.0", "1e-05".
std::string shortest_text(float value);

/// Takes a decimal number off the front of `text`, whatever the locale; false if there is none.
bool take_number(std::string_view& text, float& value);

}  // namespace tinytf
