#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "ops/parsing/json_reader.h"

namespace tinytf::ops {

/// Writes the bytes of an Example while it is told its JSON: bytes in base64 of either alphabet, numbers as numbers or
/// strings, "NaN", "Infinity" and "-Infinity", names of both spellings; null is what does not stand there.
class JsonExampleWriter final : public JsonHandler {
 public:
  /// `out` must be empty, and outlive the writer.
  explicit JsonExampleWriter(std::string* out) : out_(*out) {}

  /// The last error of what the text says, if it is no Example. Known when the whole text was read.
  const Status& status() const { return status_; }

  void begin_object(std::string_view name) override;
  void end_object() override { end(); }
  void begin_list(std::string_view name) override;
  void end_list() override { end(); }
  void value(std::string_view name, const JsonValue& value) override;

 private:
  /// The messages and lists of an Example. kMap: the entries of a map; kValues: numbers or bytes, also in another such
  /// list.
  enum class Level : uint8_t { kExample, kFeatures, kMap, kFeature, kList, kValues };
  struct Field;
  /// One that is open.
  struct Frame {
    Level level = Level::kExample;
    const Field* field = nullptr;             // that it is the value of
    size_t begin = 0;                         // where its bytes begin
    bool is_written = false;                  // whether it has a length before its bytes
    size_t entry = 0;                         // of kFeature: where its entry of the map begins
    bool has_kind = false;                    // of kFeature
    int64_t count = 0;                        // of kMap and kValues: how many there were so far
    std::set<std::string, std::less<>> keys;  // of kMap
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
  int64_t ignored_ = 0;        // objects and lists that are open in what is wrong as a whole
  Status status_;
};

}  // namespace tinytf::ops
