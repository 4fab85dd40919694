#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "ops/parsing/shared/json_reader.h"

namespace tinytf::ops {

/// Writes the bytes of an Example from the events of a JSON reader. It accepts bytes in base64 of either alphabet,
/// numbers as numbers or strings, "NaN", "Infinity" and "-Infinity", and field names in both spellings; null counts as
/// absent.
class JsonExampleWriter final : public JsonHandler {
 public:
  /// `out` must be empty and must outlive the writer.
  explicit JsonExampleWriter(std::string* out) : out_(*out) {}

  /// The last error if the text is not an Example. Valid when the whole text has been read.
  const Status& status() const { return status_; }

  void begin_object(std::string_view name) override;
  void end_object() override { end(); }
  void begin_list(std::string_view name) override;
  void end_list() override { end(); }
  void value(std::string_view name, const JsonValue& value) override;

 private:
  /// The messages and lists of an Example. kMap is for the entries of a map; kValues for numbers or bytes, which may be
  /// in nested lists.
  enum class Level : uint8_t { kExample, kFeatures, kMap, kFeature, kList, kValues };
  struct Field;
  /// A message or list that is open.
  struct Frame {
    Level level = Level::kExample;
    const Field* field = nullptr;             // the field whose value it is
    size_t begin = 0;                         // offset of its bytes in the output
    bool is_written = false;                  // whether its bytes are preceded by a length
    size_t entry = 0;                         // for kFeature: offset of its map entry
    bool has_kind = false;                    // for kFeature: whether its kind is set
    int64_t count = 0;                        // for kMap and kValues: number of entries or values so far
    std::set<std::string, std::less<>> keys;  // for kMap: the keys so far
  };

  static const Field* field_of(Level level, std::string_view name);
  const Field* find(std::string_view name);
  void open(Level level, const Field* field);
  bool open_message(const Field& field, std::string_view name);
  bool open_entry(std::string_view key, bool has_value);
  bool choose_kind(std::string_view name);
  bool add_value(const Field& field, const JsonValue& value);
  void end();

  Frame& frame() { return frames_.back(); }
  void tag(uint32_t number);
  void close_message(size_t begin);

  std::string place() const;
  void wrong_name(std::string_view name, std::string_view message);
  void wrong_value(const Field& field, std::string_view shown);
  void wrong(std::string_view where, std::string_view shown, std::string_view type);

  std::string& out_;
  std::vector<Frame> frames_;  // outermost first
  int64_t ignored_ = 0;  // nesting depth of objects and lists that are ignored because the outermost of them is invalid
  Status status_;
};

}  // namespace tinytf::ops
