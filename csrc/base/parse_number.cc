#include "base/parse_number.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "base/number_text.h"

namespace tinytf {

namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

template <class Integer>
bool parse_integer(std::string_view text, Integer& value) {
  text = without_spaces(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool equals_word(std::string_view text, std::string_view word) {
  if (text.size() != word.size()) return false;
  for (size_t i = 0; i < word.size(); ++i) {
    if ((text[i] | 0x20) != word[i]) return false;
  }
  return true;
}

/// A decimal number without its sign: digits × 10^exponent.
struct Decimal {
  uint64_t digits = 0;
  int64_t exponent = 0;
  bool is_exact = true;  ///< false if there were more digits than `digits` can hold
};

constexpr int64_t kMostExponent = 100'000;  // beyond any number's

/// Moves leading digits from `text` to `decimal` and returns their number.
int64_t take_digits(std::string_view& text, Decimal& decimal, bool behind_point) {
  int64_t count = 0;
  for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1), ++count) {
    if (decimal.digits < std::numeric_limits<uint64_t>::max() / 10 - 1) {
      decimal.digits = 10 * decimal.digits + static_cast<uint64_t>(text.front() - '0');
      decimal.exponent -= behind_point ? 1 : 0;
    } else {
      decimal.is_exact = false;
    }
  }
  return count;
}

bool take_exponent(std::string_view& text, Decimal& decimal) {
  if (text.empty() || (text.front() | 0x20) != 'e') return true;
  text.remove_prefix(1);
  const bool is_negative = !text.empty() && text.front() == '-';
  if (is_negative || (!text.empty() && text.front() == '+')) text.remove_prefix(1);
  if (text.empty() || !is_digit(text.front())) return false;
  int64_t exponent = 0;
  for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1)) {
    if (exponent < kMostExponent) exponent = 10 * exponent + (text.front() - '0');
  }
  decimal.exponent += is_negative ? -exponent : exponent;
  return true;
}

/// Parses the whole text as a decimal number without a sign; false if it is none.
bool read_decimal(std::string_view text, Decimal& decimal) {
  int64_t digits = take_digits(text, decimal, false);
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    digits += take_digits(text, decimal, true);
  }
  return digits > 0 && take_exponent(text, decimal) && text.empty();
}

template <class Real>
bool read_hexadecimal(std::string_view digits, Real& value) {
  if (digits.empty()) return false;
  double sum = 0;
  for (const char c : digits) {
    const char lower = static_cast<char>(c | 0x20);
    if (!is_digit(c) && (lower < 'a' || lower > 'f')) return false;
    sum = 16 * sum + (is_digit(c) ? c - '0' : lower - 'a' + 10);
  }
  value = static_cast<Real>(sum);
  return true;
}

/// The largest exponent of a power of ten that the type represents exactly.
template <class Real>
constexpr int64_t kExactPower = sizeof(Real) == 4 ? 10 : 22;

template <class Real>
Real power_of_ten(int64_t exponent) {
  static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  return static_cast<Real>(kPowers[exponent]);
}

/// Returns the value nearest to a decimal number: one division or product of exact operands if both are exact, else the
/// standard library's reading of the text.
template <class Real>
Real nearest(const Decimal& decimal, std::string_view text) {
  const bool few_digits = decimal.is_exact && decimal.digits <= uint64_t{1} << std::numeric_limits<Real>::digits;
  if (few_digits && std::abs(decimal.exponent) <= kExactPower<Real>) {
    const auto digits = static_cast<Real>(decimal.digits);
    return decimal.exponent < 0 ? digits / power_of_ten<Real>(-decimal.exponent)
                                : digits * power_of_ten<Real>(decimal.exponent);
  }
  Real value{};
  if (take_number(text, value)) return value;
  return decimal.digits == 0 || decimal.exponent < 0 ? Real{} : std::numeric_limits<Real>::infinity();
}

template <class Real>
bool parse_real(std::string_view text, Real& value) {
  text = without_spaces(text);
  const bool is_negative = !text.empty() && text.front() == '-';
  if (is_negative || (!text.empty() && text.front() == '+')) text.remove_prefix(1);
  Decimal decimal;
  if (equals_word(text, "inf")) {
    value = std::numeric_limits<Real>::infinity();
  } else if (equals_word(text, "nan")) {
    value = std::numeric_limits<Real>::quiet_NaN();
  } else if (text.size() > 1 && text[0] == '0' && (text[1] | 0x20) == 'x') {
    if (!read_hexadecimal(text.substr(2), value)) return false;
  } else if (read_decimal(text, decimal)) {
    value = nearest<Real>(decimal, text);
  } else {
    return false;
  }
  if (is_negative) value = -value;
  return true;
}

}  // namespace

bool parse_number(std::string_view text, int32_t& value) { return parse_integer(text, value); }
bool parse_number(std::string_view text, int64_t& value) { return parse_integer(text, value); }
bool parse_number(std::string_view text, float& value) { return parse_real(text, value); }
bool parse_number(std::string_view text, double& value) { return parse_real(text, value); }

}  // namespace tinytf
