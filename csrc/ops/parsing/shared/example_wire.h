#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/dtype.h"
#include "io/wire.h"

namespace tinytf::ops {

// A parser for Examples that accepts the same bytes as TensorFlow's fast parser: fields must be in the order in which
// protobuf writes them, Features must have no unknown fields, and a length beyond the enclosing message is cut at its
// end.

/// Takes a tag of one byte. Returns false, and takes nothing, if there is another tag.
inline bool take_tag(std::string_view& from, uint32_t field, WireType type) {
  if (from.empty() || static_cast<uint8_t>(from[0]) != (field << 3 | static_cast<uint32_t>(type))) return false;
  from.remove_prefix(1);
  return true;
}

inline bool take_number(std::string_view& from, uint64_t& number) {
  if (!from.empty() && static_cast<uint8_t>(from[0]) < 0x80) {
    number = static_cast<uint8_t>(from[0]);
    from.remove_prefix(1);
    return true;
  }
  return take_varint(from, number);
}

/// Takes a length and that number of bytes. Returns false if there are fewer bytes.
inline bool take_bytes(std::string_view& from, std::string_view& bytes) {
  uint64_t size = 0;
  if (!take_number(from, size) || size > from.size()) return false;
  bytes = from.substr(0, size);
  from.remove_prefix(size);
  return true;
}

/// Takes a length and that number of bytes, or as many as there are.
inline bool take_message(std::string_view& from, std::string_view& bytes) {
  uint64_t size = 0;
  if (!take_number(from, size)) return false;
  bytes = from.substr(0, size);
  from.remove_prefix(bytes.size());
  return true;
}

/// Skips a field that Example and SequenceExample do not have.
bool skip_field(std::string_view& from);

struct FeatureEntry {
  std::string_view key;
  std::string_view feature;
};

/// Takes an entry of a map from keys to features or feature lists; its tag has been taken.
inline bool take_entry(std::string_view& from, FeatureEntry& entry) {
  std::string_view message;
  return take_message(from, message) && take_tag(message, 1, WireType::kBytes) && take_bytes(message, entry.key) &&
         take_tag(message, 2, WireType::kBytes) && take_bytes(message, entry.feature) && message.empty();
}

/// Appends the entries of an Example; of equal keys the last one counts. Returns false if the bytes are not an Example.
bool read_entries(std::string_view example, std::vector<FeatureEntry>& entries);

/// Takes the tag of a Feature's list. `dtype` is kInvalid if it has no list. Returns false for an unknown kind of list.
bool take_feature_type(std::string_view& feature, DType& dtype);

/// Collects the values of a feature with a fixed number of values: excess values are only counted.
template <class T>
class FixedValues {
 public:
  FixedValues(T* values, size_t room) : values_(values), room_(room) {}
  size_t count() const { return count_; }
  void add(T value) {
    if (count_ < room_) values_[count_] = std::move(value);
    ++count_;
  }
  /// Takes `count` values in their memory format. Returns false if fewer bytes are given than the values that there is
  /// room for.
  bool add_memory(std::string_view bytes, size_t count) {
    const size_t taken = std::min(count, room_ - std::min(room_, count_));
    if (taken > bytes.size() / sizeof(T)) return false;
    if (taken > 0) std::memcpy(values_ + count_, bytes.data(), taken * sizeof(T));
    count_ += count;
    return true;
  }

 private:
  T* values_;
  size_t room_;
  size_t count_ = 0;
};

/// Collects all values.
template <class T>
class AllValues {
 public:
  explicit AllValues(std::vector<T>* values) : values_(*values) {}
  void add(T value) { values_.push_back(std::move(value)); }
  bool add_memory(std::string_view bytes, size_t count) {
    if (count > bytes.size() / sizeof(T)) return false;
    const size_t before = values_.size();
    values_.resize(before + count);
    if (count > 0) std::memcpy(values_.data() + before, bytes.data(), count * sizeof(T));
    return true;
  }

 private:
  std::vector<T>& values_;
};

/// Only counts the values.
template <class T>
class NoValues {
 public:
  size_t count() const { return count_; }
  template <class Value>
  void add(const Value&) {
    ++count_;
  }
  bool add_memory(std::string_view bytes, size_t count) {
    count_ += count;
    return count <= bytes.size() / sizeof(T);
  }

 private:
  size_t count_ = 0;
};

// These functions read the list of a Feature, whose tag has been taken. They return false if it is damaged, and ignore
// the bytes after it.

template <class Values>
bool read_list(std::string_view feature, std::string*, Values& values) {
  std::string_view list, bytes;
  if (!take_message(feature, list)) return false;
  while (!list.empty()) {
    if (!take_tag(list, 1, WireType::kBytes) || !take_bytes(list, bytes)) return false;
    values.add(std::string(bytes));
  }
  return true;
}

template <class Values>
bool read_list(std::string_view feature, float*, Values& values) {
  std::string_view list;
  if (!take_message(feature, list)) return false;
  if (take_tag(list, 1, WireType::kBytes)) {
    uint64_t size = 0;
    return take_number(list, size) && values.add_memory(list, size / sizeof(float));
  }
  while (!list.empty()) {
    if (!take_tag(list, 1, WireType::kFixed32) || list.size() < sizeof(float)) return false;
    float value = 0;
    std::memcpy(&value, list.data(), sizeof value);
    list.remove_prefix(sizeof value);
    values.add(value);
  }
  return true;
}

template <class Values>
bool read_list(std::string_view feature, int64_t*, Values& values) {
  std::string_view list, row;
  uint64_t number = 0;
  if (!take_message(feature, list)) return false;
  if (take_tag(list, 1, WireType::kBytes)) {
    if (!take_message(list, row)) return false;
    while (!row.empty()) {
      if (!take_number(row, number)) return false;
      values.add(static_cast<int64_t>(number));
    }
    return true;
  }
  while (!list.empty()) {
    if (!take_tag(list, 1, WireType::kVarint) || !take_number(list, number)) return false;
    values.add(static_cast<int64_t>(number));
  }
  return true;
}

}  // namespace tinytf::ops
