#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tinytf::ops {

/// A JSON value that is neither an object nor a list.
struct JsonValue {
  enum class Kind : uint8_t { kNull, kBool, kInt, kUnsigned, kReal, kString };

  Kind kind = Kind::kNull;
  bool is_true = false;
  int64_t integer = 0;
  uint64_t natural = 0;
  double real = 0;
  std::string_view text;

  /// The value as messages quote it.
  std::string quoted() const;
};

/// Receives the contents of a JSON text in order. `name` is the name of an object member, empty at the top level and in
/// lists. Views are valid only during the call.
class JsonHandler {
 public:
  virtual ~JsonHandler() = default;
  virtual void begin_object(std::string_view name) = 0;
  virtual void end_object() = 0;
  virtual void begin_list(std::string_view name) = 0;
  virtual void end_list() = 0;
  virtual void value(std::string_view name, const JsonValue& value) = 0;
};

/// Reads an untrusted JSON text as protobuf does: it also accepts single quotes, names without quotes, and a trailing
/// comma. Objects may be nested a hundred deep, and so may lists. Errors name the position.
class JsonReader {
 public:
  /// `text` and `handler` must outlive the reader.
  JsonReader(std::string_view text, JsonHandler& handler);

  /// Reads one token. InvalidArgument if the text is not JSON.
  Status step();
  /// Whether the whole text has been read.
  bool ended() const { return ended_; }

 private:
  enum class Token : uint8_t {
    kString,
    kNumber,
    kTrue,
    kFalse,
    kNull,
    kObject,
    kObjectEnd,
    kList,
    kListEnd,
    kColon,
    kComma,
    kName,
    kUnknown,
  };
  /// The element that is expected next; the stack holds the states to return to.
  enum class State : uint8_t { kValue, kElement, kElementEnd, kMember, kMemberMiddle, kMemberEnd };

  Token next_token();
  Status read(State state, Token token);
  Status read_value(Token token);
  Status read_element(Token token);
  Status read_member(Token token);
  Status read_name();
  Status read_string(std::string& out);
  Status read_escape(std::string& out);
  Status read_code(size_t at, uint32_t& code) const;
  Status read_number(JsonValue& number);
  Status end();
  void give(const JsonValue& value);
  bool starts_with(std::string_view word) const { return rest().substr(0, word.size()) == word; }
  std::string_view rest() const { return text_.substr(at_); }
  void skip_spaces();

  Status too_deep() const;
  Status fail(std::string_view message) const;
  /// Fails with an error for text that may be incomplete.
  Status fail_cut(std::string_view message);
  /// Makes messages show no text before the current token: protobuf reads a token again that the end of the text may
  /// have cut, and loses what precedes it.
  void begin_anew();

  const std::string_view text_;
  JsonHandler& handler_;
  size_t at_ = 0;
  size_t shown_from_ = 0;
  bool is_anew_ = false;
  bool ended_ = false;
  int objects_ = 0;  // number of open objects
  int lists_ = 0;
  std::vector<State> states_{State::kValue};
  std::string name_;
};

}  // namespace tinytf::ops
