#include "io/snappy.h"

#include "io/wire.h"

namespace tinytf {

namespace {

constexpr uint64_t kMaxGain = 32;  // A copy element of 3 bytes yields up to 64.

/// Takes `bytes` (up to 4) bytes off the front as a little-endian number.
bool take_number(std::string_view& from, size_t bytes, size_t& value) {
  if (from.size() < bytes) return false;
  value = 0;
  for (size_t i = 0; i < bytes; ++i) value |= size_t{static_cast<unsigned char>(from[i])} << (8 * i);
  from.remove_prefix(bytes);
  return true;
}

bool take_literal(std::string_view& from, size_t length, std::string& out) {
  if (length > from.size()) return false;
  out.append(from.substr(0, length));
  from.remove_prefix(length);
  return true;
}

/// Appends `length` bytes, starting `back` bytes before the end; the copy may overlap itself.
bool repeat(std::string& out, size_t back, size_t length) {
  if (back == 0 || back > out.size()) return false;
  for (size_t from = out.size() - back, end = from + length; from < end; ++from) out.push_back(out[from]);
  return true;
}

/// Decodes one element: a literal, or a copy of earlier output.
bool take_element(std::string_view& from, std::string& out) {
  size_t tag = 0, number = 0;
  if (!take_number(from, 1, tag)) return false;
  switch (tag & 3) {
    case 0: {
      size_t length = tag >> 2;
      if (length >= 60 && !take_number(from, length - 59, length)) return false;
      return take_literal(from, length + 1, out);
    }
    case 1: return take_number(from, 1, number) && repeat(out, tag >> 5 << 8 | number, (tag >> 2 & 7) + 4);
    case 2: return take_number(from, 2, number) && repeat(out, number, (tag >> 2) + 1);
    default: return take_number(from, 4, number) && repeat(out, number, (tag >> 2) + 1);
  }
}

}  // namespace

std::optional<std::string> snappy_decoded(std::string_view block) {
  uint64_t size = 0;
  std::string_view rest = block;
  if (!take_varint(rest, size) || size > kMaxGain * block.size()) return std::nullopt;
  std::string out;
  out.reserve(size);
  while (!rest.empty()) {
    if (!take_element(rest, out) || out.size() > size) return std::nullopt;
  }
  if (out.size() != size) return std::nullopt;
  return out;
}

}  // namespace tinytf
