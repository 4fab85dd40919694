#include "ops/parsing/shared/json_example.h"

#include <cmath>
#include <limits>

#include "base/parse_number.h"
#include "base/str_cat.h"
#include "io/wire.h"
#include "ops/parsing/shared/json_base64.h"

namespace tinytf::ops {

/// A field of one of the messages. The repeated fields are `feature`, a map, and `value`, numbers or bytes.
struct JsonExampleWriter::Field {
  std::string_view name;
  std::string_view json_name;
  std::string_view type;
  uint32_t number = 1;
  Level level = Level::kValues;   // the level that it opens
  Field const* values = nullptr;  // the values field of a list
};

namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

/// Converts a name to the spelling of messages: oneTwo and ONETwo become one_two.
std::string snake_case(std::string_view name) {
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    if (!is_upper(name[i])) {
      out += name[i];
      continue;
    }
    const bool begins_word =
        i > 0 && name[i - 1] != '_' && (!is_upper(name[i - 1]) || (i + 1 < name.size() && is_lower(name[i + 1])));
    if (begins_word) out += '_';
    out += static_cast<char>(name[i] | 0x20);
  }
  return out;
}

/// Numbers in strings must not have spaces around them.
bool has_spaces(std::string_view text) { return !text.empty() && (text.front() == ' ' || text.back() == ' '); }

bool int64_of(const JsonValue& value, int64_t& number) {
  constexpr double kBound = 9223372036854775808.0;  // 2^63
  switch (value.kind) {
    case JsonValue::Kind::kInt: number = value.integer; return true;
    case JsonValue::Kind::kUnsigned:
      number = static_cast<int64_t>(value.natural);
      return value.natural <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    case JsonValue::Kind::kReal:
      if (!(value.real >= -kBound && value.real < kBound) || value.real != std::trunc(value.real)) return false;
      number = static_cast<int64_t>(value.real);
      return true;
    case JsonValue::Kind::kString: {
      std::string_view text = value.text;
      if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
      const auto is_of_number = [](char c) { return (c >= '0' && c <= '9') || c == '-'; };
      return !text.empty() && is_of_number(text.front()) && is_of_number(text.back()) && parse_number(text, number);
    }
    default: return false;
  }
}

bool float_of(const JsonValue& value, float& number) {
  double real = value.real;
  switch (value.kind) {
    case JsonValue::Kind::kInt: number = static_cast<float>(value.integer); return true;
    case JsonValue::Kind::kUnsigned: number = static_cast<float>(value.natural); return true;
    case JsonValue::Kind::kReal: break;
    case JsonValue::Kind::kString:
      if (value.text == "NaN") {
        number = std::numeric_limits<float>::quiet_NaN();
        return true;
      }
      if (value.text == "Infinity" || value.text == "-Infinity") {
        number = std::numeric_limits<float>::infinity() * (value.text[0] == '-' ? -1.f : 1.f);
        return true;
      }
      if (has_spaces(value.text) || !parse_number(value.text, real)) return false;
      break;
    default: return false;
  }
  if (!(std::abs(real) <= static_cast<double>(std::numeric_limits<float>::max()))) return false;
  number = static_cast<float>(real);
  return true;
}

}  // namespace

const JsonExampleWriter::Field* JsonExampleWriter::field_of(Level level, std::string_view name) {
  static constexpr Field kBytes{"value", "value", "TYPE_BYTES"};
  static constexpr Field kFloats{"value", "value", "TYPE_FLOAT"};
  static constexpr Field kInts{"value", "value", "TYPE_INT64"};
  static constexpr Field kFeatures{"features", "features",       "type.googleapis.com/tensorflow.Features",
                                   1,          Level::kFeatures, nullptr};
  static constexpr Field kMap{"feature", "feature",   "type.googleapis.com/tensorflow.Features.FeatureEntry",
                              1,         Level::kMap, nullptr};
  static constexpr Field kLists[] = {
      {"bytes_list", "bytesList", "type.googleapis.com/tensorflow.BytesList", 1, Level::kList, &kBytes},
      {"float_list", "floatList", "type.googleapis.com/tensorflow.FloatList", 2, Level::kList, &kFloats},
      {"int64_list", "int64List", "type.googleapis.com/tensorflow.Int64List", 3, Level::kList, &kInts},
  };
  if (level == Level::kExample && name == kFeatures.name) return &kFeatures;
  if (level == Level::kFeatures && name == kMap.name) return &kMap;
  if (level == Level::kFeature) {
    for (const Field& list : kLists) {
      if (name == list.name || name == list.json_name) return &list;
    }
  }
  return nullptr;
}

const JsonExampleWriter::Field* JsonExampleWriter::find(std::string_view name) {
  const Frame& top = frame();
  if (name.empty()) {
    if (top.level != Level::kValues) wrong_name(name, "Proto fields must have a name.");
    return top.level == Level::kValues ? top.field : nullptr;
  }
  const Field* field = field_of(top.level, name);
  if (top.level == Level::kList && name == top.field->values->name) field = top.field->values;
  if (field == nullptr) wrong_name(name, "Cannot find field.");
  return field;
}

void JsonExampleWriter::open(Level level, const Field* field) {
  Frame& top = frames_.emplace_back();
  top.level = level;
  top.field = field;
  top.begin = out_.size();
}

void JsonExampleWriter::tag(uint32_t number) { out_ += static_cast<char>(number << 3 | 2); }

/// Opens an entry of the open map, and in it the mapped message. Returns false with an error if the map already has the
/// key.
bool JsonExampleWriter::open_entry(std::string_view key, bool has_value) {
  Frame& map = frame();
  if (!map.keys.emplace(key).second) {
    wrong_name(key, str_cat("Repeated map key: '", key, "' is already set."));
    return false;
  }
  ++map.count;
  tag(1);
  const size_t entry = out_.size();
  WireWriter(&out_).bytes(1, key);
  if (has_value) tag(2);
  open(Level::kFeature, nullptr);
  frame().entry = entry;
  frame().is_written = has_value;
  return true;
}

/// Inserts the length of the bytes written since `begin` before them.
void JsonExampleWriter::close_message(size_t begin) {
  std::string length;
  WireWriter(&length).number(out_.size() - begin);
  out_.insert(begin, length);
}

void JsonExampleWriter::end() {
  if (ignored_ > 0) {
    --ignored_;
    return;
  }
  const Frame& top = frame();
  const size_t begin = top.begin, entry = top.entry;
  const bool is_feature = top.level == Level::kFeature;
  if (top.is_written) close_message(begin);
  if (is_feature) close_message(entry);
  frames_.pop_back();
}

void JsonExampleWriter::begin_object(std::string_view name) {
  if (ignored_ > 0) {
    ++ignored_;
  } else if (frames_.empty()) {
    open(Level::kExample, nullptr);
  } else if (frame().level == Level::kMap) {
    if (!open_entry(name, true)) ++ignored_;
  } else if (const Field* field = find(name); field == nullptr || !open_message(*field, name)) {
    ++ignored_;
  }
}

/// Returns false with an error if no message can begin here.
bool JsonExampleWriter::open_message(const Field& field, std::string_view name) {
  if (field.level == Level::kMap) {
    open(Level::kMap, &field);
    return true;
  }
  if (field.level == Level::kValues) {
    wrong_value(field, "{}");
    return false;
  }
  if (frame().level == Level::kFeature && !choose_kind(name)) return false;
  tag(field.number);
  open(field.level, &field);
  frame().is_written = true;
  return true;
}

bool JsonExampleWriter::choose_kind(std::string_view name) {
  if (frame().has_kind) {
    wrong(place(), str_cat("oneof field 'kind' is already set. Cannot set '", name, "'"), "oneof");
    return false;
  }
  frame().has_kind = true;
  return true;
}

void JsonExampleWriter::begin_list(std::string_view name) {
  if (ignored_ > 0) {
    ++ignored_;
    return;
  }
  if (frames_.empty()) {
    wrong_name(name, "Root element must be a message.");
    ++ignored_;
    return;
  }
  if (frame().level == Level::kMap) {
    if (open_entry(name, true)) {
      wrong(place(), str_cat("Cannot have repeated items ('", name, "') within a map."), "Map");
    } else {
      ++ignored_;
    }
    return;
  }
  const Field* field = find(name);
  if (field != nullptr && field->level == Level::kValues) return open(Level::kValues, field);
  ++ignored_;
  if (field == nullptr) return;
  if (field->level == Level::kMap) {
    wrong(place(), str_cat("Cannot bind a list to map for field '", name, "'."), "Map");
  } else {
    wrong_name(name, "Proto field is not repeating, cannot start list.");
  }
}

void JsonExampleWriter::value(std::string_view name, const JsonValue& value) {
  if (ignored_ > 0) return;
  if (frames_.empty()) return wrong_name(name, "Root element must be a message.");
  const bool is_null = value.kind == JsonValue::Kind::kNull;
  if (frame().level == Level::kMap) {
    if (!open_entry(name, !is_null)) return;
    if (!is_null) wrong(place(), value.quoted(), "type.googleapis.com/tensorflow.Feature");
    return end();
  }
  const Field* field = find(name);
  if (field == nullptr || is_null) return;
  if (frame().level == Level::kFeature && !choose_kind(name)) return;
  if (field->level != Level::kValues || !add_value(*field, value)) wrong_value(*field, value.quoted());
}

/// Returns false if the value does not fit the field.
bool JsonExampleWriter::add_value(const Field& field, const JsonValue& value) {
  WireWriter to(&out_);
  if (field.type == "TYPE_INT64") {
    int64_t number = 0;
    if (!int64_of(value, number)) return false;
    to.int64(field.number, number);
  } else if (field.type == "TYPE_FLOAT") {
    float number = 0;
    if (!float_of(value, number)) return false;
    to.float32(field.number, number);
  } else {
    std::string bytes;
    if (value.kind != JsonValue::Kind::kString || !bytes_of_base64(value.text, bytes)) return false;
    to.bytes(field.number, bytes);
  }
  if (frame().level == Level::kValues) ++frame().count;
  return true;
}

std::string JsonExampleWriter::place() const {
  std::string out;
  for (const Frame& at : frames_) {
    switch (at.level) {
      case Level::kExample: continue;
      case Level::kFeatures: out += "features"; continue;
      case Level::kMap: out += ".feature"; break;
      case Level::kFeature: out += ".value"; continue;
      case Level::kList: out += str_cat(".", at.field->name); continue;
      case Level::kValues:
        if ((&at)[-1].level != Level::kValues) out += ".value";
        break;
    }
    if (at.count > 0) out += str_cat("[", at.count - 1, "]");
  }
  return out;
}

void JsonExampleWriter::wrong_name(std::string_view name, std::string_view message) {
  const std::string where = place();
  status_ = invalid_argument(where.empty() ? "" : str_cat("(", where, ") "), snake_case(name), ": ", message);
}

void JsonExampleWriter::wrong_value(const Field& field, std::string_view shown) {
  if (frame().level == Level::kValues) {
    ++frame().count;
    return wrong(place(), shown, field.type);
  }
  const std::string outer = place();
  wrong(outer.empty() ? std::string(field.name) : str_cat(outer, ".", field.name), shown, field.type);
}

void JsonExampleWriter::wrong(std::string_view where, std::string_view shown, std::string_view type) {
  status_ = invalid_argument("(", where, "): invalid value ", shown, " for type ", type);
}

}  // namespace tinytf::ops
