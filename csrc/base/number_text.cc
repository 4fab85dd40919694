#include "base/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <locale>
#include <sstream>

namespace tinytf {

namespace {

// Uses streams of the classic locale: std::to_chars for floating-point numbers is missing from some standard libraries
// that we build with, and printf writes the decimal point of the process's locale.

/// Reads a number. Accepts denormal numbers, which libc++ reads but reports as out of range.
template <class Real>
bool read_number(std::istream& in, Real& value) {
  in >> value;
  return !in.fail() || (value != 0 && std::abs(value) < 1);
}

template <class Real>
std::string with_digits(Real value, int precision, std::ios::fmtflags format = {}) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(precision);
  out.setf(format, std::ios::floatfield);
  out << value;
  return out.str();
}

template <class Read, class Real>
bool reads_back(const std::string& text, Real value) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  Read read{};
  return read_number(in, read) && static_cast<Real>(read) == value;
}

template <class Real>
std::string text_of(Real value, int few, int all) {
  if (value != value) return "nan";
  const std::string text = with_digits(value, few);
  return reads_back<Real>(text, value) ? text : with_digits(value, all);
}

template <class Real>
bool take_real(std::string_view& text, Real& value) {
  std::istringstream in{std::string(text)};
  in.imbue(std::locale::classic());
  if (!read_number(in, value)) return false;
  in.clear();  // clears the end-of-file flag, so that tellg() works
  text.remove_prefix(static_cast<size_t>(in.tellg()));
  return true;
}

}  // namespace

std::string number_text(float value) { return text_of(value, 6, 9); }
std::string number_text(double value) { return text_of(value, 15, 17); }

std::string shortest_text(float value) {
  if (value != value) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::string text;  // "-1.2345e-05"
  for (int behind_point = 5; behind_point < 9; ++behind_point) {
    text = with_digits(value, behind_point, std::ios::scientific);
    if (reads_back<double>(text, value)) break;
  }
  const size_t e = text.find('e');
  const int exponent = std::stoi(text.substr(e + 1));
  const bool is_negative = text[0] == '-';
  std::string digits = text[is_negative ? 1 : 0] + text.substr(is_negative ? 3 : 2, e - (is_negative ? 3 : 2));
  digits.resize(std::max<size_t>(digits.find_last_not_of('0') + 1, 1));
  if (exponent < -4 || exponent >= 16) {
    if (digits.size() > 1) digits.insert(1, ".");
    digits += text.substr(e);
  } else if (exponent < 0) {
    digits.insert(0, "0." + std::string(static_cast<size_t>(-1 - exponent), '0'));
  } else {
    const size_t whole = static_cast<size_t>(exponent) + 1;
    if (digits.size() <= whole) digits.resize(whole + 1, '0');
    digits.insert(whole, ".");
  }
  return is_negative ? "-" + digits : digits;
}

bool take_number(std::string_view& text, float& value) { return take_real(text, value); }
bool take_number(std::string_view& text, double& value) { return take_real(text, value); }

}  // namespace tinytf
