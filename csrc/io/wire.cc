#include "io/wire.h"

namespace tinytf {

namespace {

constexpr int kMaxGroups = 100;  // Nesting depth, as in protobuf.
constexpr uint64_t kMaxField = (uint64_t{1} << 29) - 1;

template <class T>
bool take_fixed(std::string_view& from, uint64_t& value) {
  if (from.size() < sizeof(T)) return false;
  T bits = 0;
  std::memcpy(&bits, from.data(), sizeof bits);
  value = bits;
  from.remove_prefix(sizeof bits);
  return true;
}

bool take_tag(std::string_view& from, uint32_t& field, WireType& type) {
  uint64_t tag = 0;
  if (!take_varint(from, tag) || tag >> 3 == 0 || tag >> 3 > kMaxField || (tag & 7) > 5) return false;
  field = static_cast<uint32_t>(tag >> 3);
  type = static_cast<WireType>(tag & 7);
  return true;
}

}  // namespace

bool take_varint(std::string_view& from, uint64_t& value) {
  value = 0;
  const size_t most = from.size() < 10 ? from.size() : 10;
  for (size_t i = 0; i < most; ++i) {
    const auto byte = static_cast<uint8_t>(from[i]);
    if (i == 9 && byte > 1) return false;  // More than 64 bits.
    value |= uint64_t{byte & 0x7Fu} << (7 * i);
    if (byte < 0x80) {
      from.remove_prefix(i + 1);
      return true;
    }
  }
  return false;
}

bool is_utf8(std::string_view bytes) {
  for (size_t i = 0; i < bytes.size();) {
    const auto at = [&](size_t place) {
      return place < bytes.size() ? static_cast<uint8_t>(bytes[place]) : uint8_t{0};
    };
    const uint8_t lead = at(i);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    if (lead < 0xC2 || lead > 0xF4) return false;  // Not a lead byte, or an overlong form.
    const size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    for (size_t k = 1; k < length; ++k) {
      if ((at(i + k) & 0xC0) != 0x80) return false;
    }
    const uint8_t second = at(i + 1);
    const bool too_long = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool no_character = (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
    if (too_long || no_character) return false;
    i += length;
  }
  return true;
}

bool WireReader::take_number(std::string_view& from, WireType type, uint64_t& number) {
  switch (type) {
    case WireType::kVarint: return take_varint(from, number);
    case WireType::kFixed64: return take_fixed<uint64_t>(from, number);
    case WireType::kFixed32: return take_fixed<uint32_t>(from, number);
    default: return false;
  }
}

bool WireReader::next() {
  if (!ok_ || rest_.empty()) return false;
  const std::string_view before = rest_;
  ok_ = take_field();
  whole_ = before.substr(0, before.size() - rest_.size());
  return ok_;
}

bool WireReader::take_field() {
  if (!take_tag(rest_, field_, type_)) return false;
  switch (type_) {
    case WireType::kBytes: {
      uint64_t size = 0;
      if (!take_varint(rest_, size) || size > rest_.size()) return false;
      bytes_ = rest_.substr(0, size);
      rest_.remove_prefix(size);
      return true;
    }
    case WireType::kBeginGroup: return skip_group(field_);
    case WireType::kEndGroup: return false;  // No group was begun.
    default: return take_number(rest_, type_, number_);
  }
}

/// Skips the contents of a group, with its end.
bool WireReader::skip_group(uint32_t field) {
  uint32_t open[kMaxGroups] = {field};
  for (int depth = 1; depth > 0;) {
    uint32_t inner = 0;
    WireType type = WireType::kVarint;
    if (!take_tag(rest_, inner, type)) return false;
    uint64_t number = 0;
    switch (type) {
      case WireType::kBeginGroup:
        if (depth == kMaxGroups) return false;
        open[depth++] = inner;
        break;
      case WireType::kEndGroup:
        if (open[--depth] != inner) return false;
        break;
      case WireType::kBytes:
        if (!take_varint(rest_, number) || number > rest_.size()) return false;
        rest_.remove_prefix(number);
        break;
      default:
        if (!take_number(rest_, type, number)) return false;
    }
  }
  return true;
}

std::string_view WireReader::text() {
  if (!is_utf8(bytes_)) ok_ = false;
  return bytes_;
}

/// Writes the length of the bytes after `begin` where one byte was reserved for it.
void WireWriter::set_length(size_t begin) {
  const size_t length = out_.size() - begin - 1;
  if (length < 0x80) {
    out_[begin] = static_cast<char>(length);
    return;
  }
  std::string text;
  WireWriter(&text).number(length);
  out_.replace(begin, 1, text);
}

}  // namespace tinytf
