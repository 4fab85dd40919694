#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace tinytf {

/// Encoding of a field's value in protobuf's wire format.
enum class WireType : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kBeginGroup = 3, kEndGroup = 4, kFixed32 = 5 };

/// Whether the bytes are UTF-8, as the fields of type `string` must be.
bool is_utf8(std::string_view bytes);

/// Takes a varint off the front of `from`; returns false if there is none.
bool take_varint(std::string_view& from, uint64_t& value);

/// Iterates over the fields of one message, which may be malformed: nothing is read outside its bytes. The results are
/// views of these. As in protobuf, unknown fields and fields of unexpected types should be skipped.
///
///   WireReader fields(bytes);
///   while (fields.next()) {
///     if (fields.is(1, WireType::kBytes)) name = fields.bytes();
///   }
///   if (!fields.ok()) return invalid_argument("damaged");
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  /// Moves to the next field. Returns false after the last one, and if the bytes are malformed: see ok().
  bool next();
  bool ok() const { return ok_; }

  uint32_t field() const { return field_; }
  bool is(uint32_t field, WireType type) const { return field == field_ && type == type_; }

  /// For a number: its 64 or 32 bits.
  uint64_t number() const { return number_; }
  int64_t int64() const { return static_cast<int64_t>(number_); }
  int32_t int32() const { return static_cast<int32_t>(number_); }
  /// For kBytes: a string, a message, or packed numbers.
  std::string_view bytes() const { return bytes_; }
  /// For kBytes: the text; invalid UTF-8 makes the message damaged.
  std::string_view text();
  /// The serialized field, with its tag.
  std::string_view whole() const { return whole_; }

  /// Calls use(uint64_t) for each number of the repeated field `field` of wire type `type`: the current one, or the
  /// packed ones.
  template <class Use>
  void numbers(uint32_t field, WireType type, Use use) {
    if (is(field, type)) return use(number_);
    if (!is(field, WireType::kBytes)) return;
    for (std::string_view row = bytes_; !row.empty();) {
      uint64_t number = 0;
      if (!take_number(row, type, number)) {
        ok_ = false;
        return;
      }
      use(number);
    }
  }

 private:
  static bool take_number(std::string_view& from, WireType type, uint64_t& number);
  bool take_field();
  bool skip_group(uint32_t field);

  std::string_view rest_;
  std::string_view bytes_;
  std::string_view whole_;
  uint64_t number_ = 0;
  uint32_t field_ = 0;
  WireType type_ = WireType::kVarint;
  bool ok_ = true;
};

/// The bytes of a message that may be serialized in several parts, which are concatenated.
class MergedBytes {
 public:
  void add(std::string_view part) {
    if (parts_++ == 0) {
      first_ = part;
    } else {
      if (parts_ == 2) all_ = first_;
      all_ += part;
    }
  }
  bool is_in_parts() const { return parts_ > 1; }
  /// A view of the first part, or of this object.
  std::string_view view() const { return parts_ > 1 ? std::string_view(all_) : first_; }

 private:
  int parts_ = 0;
  std::string_view first_;
  std::string all_;
};

/// Appends fields of messages to a string. Zeros and empty strings are written too; to omit them, as protobuf does for
/// fields without presence, skip the call.
class WireWriter {
 public:
  explicit WireWriter(std::string* out) : out_(*out) {}

  void varint(uint32_t field, uint64_t value) {
    tag(field, WireType::kVarint);
    number(value);
  }
  /// Negative numbers take ten bytes.
  void int64(uint32_t field, int64_t value) { varint(field, static_cast<uint64_t>(value)); }
  void float32(uint32_t field, float value) {
    tag(field, WireType::kFixed32);
    fixed(value);
  }
  void fixed32(uint32_t field, uint32_t value) {
    tag(field, WireType::kFixed32);
    for (int i = 0; i < 4; ++i) out_.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  }
  void float64(uint32_t field, double value) {
    tag(field, WireType::kFixed64);
    fixed(value);
  }
  void bytes(uint32_t field, std::string_view value) {
    tag(field, WireType::kBytes);
    number(value.size());
    out_.append(value);
  }
  /// Writes a field with the output of `write()`: a message, or packed numbers.
  template <class Write>
  void nested(uint32_t field, Write write) {
    tag(field, WireType::kBytes);
    const size_t begin = out_.size();
    out_.push_back('\0');
    write();
    set_length(begin);
  }

  // Elements of packed fields.
  void number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_.push_back(static_cast<char>(value | 0x80));
    out_.push_back(static_cast<char>(value));
  }
  template <class T>
  void fixed(T value) {
    static_assert(std::is_floating_point_v<T>);
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    out_.append(raw, sizeof value);
  }

 private:
  void tag(uint32_t field, WireType type) { number(uint64_t{field} << 3 | static_cast<uint64_t>(type)); }
  void set_length(size_t begin);

  std::string& out_;
};

}  // namespace tinytf
