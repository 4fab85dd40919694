#include "ops/parsing/shared/json_base64.h"

#include <cstdint>

namespace tinytf::ops {

namespace {

/// The value of a base64 digit; -1 for other characters.
int digit_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  return c == '/' || c == '_' ? 63 : -1;
}

}  // namespace

bool bytes_of_base64(std::string_view text, std::string& bytes) {
  if (text.size() % 4 == 0 && !text.empty() && text.back() == '=') {
    text.remove_suffix(1);
    if (text.back() == '=') text.remove_suffix(1);
  }
  const bool is_plain = text.find_first_of("-_") == std::string_view::npos;
  if (text.size() % 4 == 1 || (!is_plain && text.find_first_of("+/") != std::string_view::npos)) return false;
  bytes.clear();
  bytes.reserve(text.size() / 4 * 3 + 2);
  uint32_t pending = 0;
  int bits = 0;
  for (const char c : text) {
    const int value = digit_value(c);
    if (value < 0) return false;
    pending = (pending << 6 | static_cast<uint32_t>(value)) & 0xFFFF;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>(pending >> bits & 0xFF);
    }
  }
  return (pending & ((1u << bits) - 1)) == 0;
}

}  // namespace tinytf::ops
