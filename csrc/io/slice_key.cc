#include "io/slice_key.h"

#include <algorithm>

namespace tinytf {

namespace {

/// Appends the lowest `bytes` bytes in big-endian order.
void append_big_endian(std::string& to, uint64_t number, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) to.push_back(static_cast<char>(number >> (8 * i) & 0xff));
}

/// Whether a signed number fits in `bits` bits.
bool fits(int64_t number, int bits) {
  return bits >= 64 || (number >= -(int64_t{1} << (bits - 1)) && number < int64_t{1} << (bits - 1));
}

}  // namespace

void append_ordered(std::string& to, uint64_t number) {
  int bytes = 0;
  while (bytes < 8 && number >> (8 * bytes) != 0) ++bytes;
  to.push_back(static_cast<char>(bytes));
  append_big_endian(to, number, bytes);
}

void append_ordered_signed(std::string& to, int64_t number) {
  int length = 1;
  while (!fits(number, 7 * length)) ++length;
  // Sign bytes beyond 64 bits.
  std::string bytes(static_cast<size_t>(std::max(0, length - 8)), number < 0 ? '\xff' : '\0');
  append_big_endian(bytes, static_cast<uint64_t>(number), std::min(length, 8));
  for (int bit = 0; bit < length; ++bit) bytes[static_cast<size_t>(bit / 8)] ^= static_cast<char>(0x80 >> bit % 8);
  to += bytes;
}

void append_ordered(std::string& to, std::string_view text) {
  for (const char c : text) {
    to.push_back(c);
    if (c == '\0') to.push_back('\xff');
    if (c == '\xff') to.push_back('\0');
  }
  to.append("\0\1", 2);
}

std::string slice_key(std::string_view name, const TensorSlice& slice) {
  std::string key;
  append_ordered(key, uint64_t{0});
  append_ordered(key, name);
  append_ordered(key, static_cast<uint64_t>(slice.rank()));
  for (int i = 0; i < slice.rank(); ++i) {
    append_ordered_signed(key, slice.extent(i).start);
    append_ordered_signed(key, slice.extent(i).length);
  }
  return key;
}

}  // namespace tinytf
