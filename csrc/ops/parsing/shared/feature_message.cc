#include "ops/parsing/shared/feature_message.h"

#include "base/str_cat.h"
#include "io/wire.h"

namespace tinytf::ops {

namespace {

// Field numbers of Feature.
constexpr uint32_t kBytesList = 1, kFloatList = 2, kInt64List = 3;
constexpr uint32_t kValue = 1;                // in each list
constexpr uint32_t kKey = 1, kMapped = 2;     // in a map entry
constexpr uint32_t kContext = 1, kLists = 2;  // in SequenceExample

DType type_of_list(uint32_t field) {
  switch (field) {
    case kBytesList: return DType::kString;
    case kFloatList: return DType::kFloat;
    case kInt64List: return DType::kInt64;
    default: return DType::kInvalid;
  }
}

float float_of_bits(uint64_t bits) {
  const auto word = static_cast<uint32_t>(bits);
  float value = 0;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

bool add_list(std::string_view list, FeatureMessage& feature) {
  WireReader fields(list);
  while (fields.next()) {
    if (feature.dtype == DType::kString) {
      if (fields.is(kValue, WireType::kBytes)) feature.values.values<std::string>(nullptr).emplace_back(fields.bytes());
    } else if (feature.dtype == DType::kFloat) {
      auto& values = feature.values.values<float>(nullptr);
      fields.numbers(kValue, WireType::kFixed32, [&](uint64_t bits) { values.push_back(float_of_bits(bits)); });
    } else {
      auto& values = feature.values.values<int64_t>(nullptr);
      fields.numbers(kValue, WireType::kVarint, [&](uint64_t bits) { values.push_back(static_cast<int64_t>(bits)); });
    }
  }
  return fields.ok();
}

bool read_feature(std::string_view bytes, FeatureMessage& feature) {
  WireReader fields(bytes);
  while (fields.next()) {
    const DType dtype = type_of_list(fields.field());
    if (dtype == DType::kInvalid || !fields.is(fields.field(), WireType::kBytes)) continue;
    if (dtype != feature.dtype) feature = FeatureMessage{dtype, {}};  // of several kinds the last one counts
    if (!add_list(fields.bytes(), feature)) return false;
  }
  return fields.ok();
}

bool read_features(std::string_view bytes, std::vector<FeatureMessage>& list) {
  WireReader fields(bytes);
  while (fields.next()) {
    if (!fields.is(1, WireType::kBytes)) continue;
    list.emplace_back();
    if (!read_feature(fields.bytes(), list.back())) return false;
  }
  return fields.ok();
}

/// Reads a message that consists of a map; read(bytes, value) reads a mapped value.
template <class Map, class Read>
bool read_map(std::string_view bytes, Map& map, Read read) {
  WireReader fields(bytes);
  while (fields.next()) {
    if (!fields.is(1, WireType::kBytes)) continue;
    std::string_view key;
    typename Map::mapped_type value;
    WireReader entry(fields.bytes());
    while (entry.next()) {
      if (entry.is(kKey, WireType::kBytes)) key = entry.text();
      if (entry.is(kMapped, WireType::kBytes) && !read(entry.bytes(), value)) return false;
    }
    if (!entry.ok()) return false;
    map.insert_or_assign(std::string(key), std::move(value));
  }
  return fields.ok();
}

void append_escaped(std::string_view bytes, std::string& out) {
  for (const char c : bytes) {
    switch (c) {
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '"': out += "\\\""; break;
      case '\'': out += "\\'"; break;
      case '\\': out += "\\\\"; break;
      default:
        if (c >= 0x20 && c < 0x7f) {
          out += c;
        } else {
          const auto byte = static_cast<unsigned char>(c);
          out += '\\';
          for (const int shift : {6, 3, 0}) out += static_cast<char>('0' + (byte >> shift & 7));
        }
    }
  }
}

}  // namespace

std::string FeatureMessage::text() const {
  if (dtype == DType::kInvalid) return "";
  std::string out;
  switch (dtype) {
    case DType::kString:
      out = "bytes_list {\n";
      for (const std::string& value : values.values<std::string>(nullptr)) {
        out += "  value: \"";
        append_escaped(value, out);
        out += "\"\n";
      }
      break;
    case DType::kFloat:
      out = "float_list {\n";
      for (const float value : values.values<float>(nullptr)) out += str_cat("  value: ", value, "\n");
      break;
    default:
      out = "int64_list {\n";
      for (const int64_t value : values.values<int64_t>(nullptr)) out += str_cat("  value: ", value, "\n");
  }
  return out + "}\n";
}

bool SequenceMessage::read(std::string_view bytes) {
  WireReader fields(bytes);
  while (fields.next()) {
    if (fields.is(kContext, WireType::kBytes) && !read_map(fields.bytes(), context, read_feature)) return false;
    if (fields.is(kLists, WireType::kBytes) && !read_map(fields.bytes(), lists, read_features)) return false;
  }
  return fields.ok();
}

}  // namespace tinytf::ops
