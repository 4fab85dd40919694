#pragma once

#include <charconv>
#include <complex>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/number_text.h"

namespace tinytf {

namespace detail {

inline void append_piece(std::string& out, std::string_view piece) { out.append(piece); }
inline void append_piece(std::string& out, const char* piece) { out.append(piece); }
inline void append_piece(std::string& out, char piece) { out.push_back(piece); }
inline void append_piece(std::string& out, bool piece) { out.append(piece ? "true" : "false"); }

template <class Number, std::enable_if_t<std::is_floating_point_v<Number>, int> = 0>
void append_piece(std::string& out, Number piece) {
  out.append(number_text(piece));
}

template <class Number, std::enable_if_t<std::is_integral_v<Number>, int> = 0>
void append_piece(std::string& out, Number piece) {
  char text[40];
  auto end = std::to_chars(text, text + sizeof text, piece).ptr;
  out.append(text, end);
}

}  // namespace detail

/// Joins strings, characters and numbers into one string. For messages and names, not for hot paths.
template <class... Pieces>
std::string str_cat(const Pieces&... pieces) {
  std::string out;
  (detail::append_piece(out, pieces), ...);
  return out;
}

/// Joins the texts that `format(item)` yields, with `separator` between them.
template <class Range, class Format>
std::string str_join(const Range& items, std::string_view separator, Format format) {
  std::string out;
  bool first = true;
  for (const auto& item : items) {
    if (!first) out.append(separator);
    first = false;
    out.append(format(item));
  }
  return out;
}

}  // namespace tinytf
