#include "base/number_text.h"

#include <cmath>
#include <limits>
#include <locale>
#include <sstream>

#include "base/parse_number.h"

namespace tinytf {

namespace {

// Streams of the classic locale: `std::to_chars` of reals is missing from libraries that we build with, and printf
// writes the decimal point of the program's locale.

/// Reads a number. Denormals count too, which libc++ reads but calls out of range.
template <class Real>
bool read_number(std::istream& in, Real& value) {
  in >> value;
  return !in.fail() || (value != 0 && std::abs(value) < 1);
}

template <class Real>
std::string text_of(Real value, int few, int all) {
  if (value != value) return "nan";
  for (const int digits : {few, all}) {
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out.precision(digits);
    out << value;
    std::istringstream in(out.str());
    in.imbue(std::locale::classic());
    Real read{};
    if (digits == all || (read_number(in, read) && read == value)) return out.str();
  }
  return {};
}

template <class Real>
bool take_real(std::string_view& text, Real& value) {
  std::istringstream in{std::string(text)};
  in.imbue(std::locale::classic());
  if (!read_number(in, value)) return false;
  in.clear();  // the end of the text, if it was reached
  text.remove_prefix(static_cast<size_t>(in.tellg()));
  return true;
}

}  // namespace

std::string number_text(float value) { return text_of(value, 6, 9); }
std::string number_text(double value) { return text_of(value, 15, 17); }

bool take_number(std::string_view& text, float& value) { return take_real(text, value); }
bool take_number(std::string_view& text, double& value) { return take_real(text, value); }

}  // namespace tinytf
