#include "ops/parsing/shared/example_wire.h"

namespace tinytf::ops {

bool skip_field(std::string_view& from) {
  uint64_t tag = 0, number = 0;
  if (!take_number(from, tag)) return false;
  std::string_view bytes;
  size_t size = 0;
  switch (static_cast<WireType>(tag & 7)) {
    case WireType::kVarint: return take_number(from, number);
    case WireType::kBytes: return take_message(from, bytes);
    case WireType::kFixed64: size = 8; break;
    case WireType::kFixed32: size = 4; break;
    default: return false;
  }
  if (from.size() < size) return false;
  from.remove_prefix(size);
  return true;
}

bool read_entries(std::string_view example, std::vector<FeatureEntry>& entries) {
  while (!example.empty()) {
    if (!take_tag(example, 1, WireType::kBytes)) {
      if (!skip_field(example)) return false;
      continue;
    }
    std::string_view features;
    if (!take_message(example, features)) return false;
    while (!features.empty()) {
      FeatureEntry entry;
      if (!take_tag(features, 1, WireType::kBytes) || !take_entry(features, entry)) return false;
      entries.push_back(entry);
    }
  }
  return true;
}

bool take_feature_type(std::string_view& feature, DType& dtype) {
  dtype = DType::kInvalid;
  if (feature.empty()) return true;
  if (take_tag(feature, 1, WireType::kBytes)) {
    dtype = DType::kString;
  } else if (take_tag(feature, 2, WireType::kBytes)) {
    dtype = DType::kFloat;
  } else if (take_tag(feature, 3, WireType::kBytes)) {
    dtype = DType::kInt64;
  } else {
    return false;
  }
  return true;
}

}  // namespace tinytf::ops
