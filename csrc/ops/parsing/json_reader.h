#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tinytf::ops {

/// What a JSON text says in one place, if that is neither an object nor a list.
struct JsonValue {
  enum class Kind : uint8_t { kNull, kBool, kInt, kUnsigned, kReal, kString };

  Kind kind = Kind::kNull;
  bool is_true = false;
  int64_t integer = 0;
  uint64_t natural = 0;
  double real = 0;
  std::string_view text;

  /// As messages quote it.
  std::string quoted() const;
};

/// Is told what a JSON text says, from its beginning to its end. Names are those of objects' members: empty at the top
/// and in lists. Views are of the call only.
class JsonHandler {
 public:
  virtual ~JsonHandler() = default;
  virtual void begin_object(std::string_view name) = 0;
  virtual void end_object() = 0;
  virtual void begin_list(std::string_view name) = 0;
  virtual void end_list() = 0;
  virtual void value(std::string_view name, const JsonValue& value) = 0;
};

/// Goes through a JSON text, whoever wrote it, as protobuf does: it may also have single quotes, names without quotes,
/// and a comma behind the last member or element. Objects may be in each other a hundred times, and
/// so may lists. Errors name the place.
class JsonReader {
 public:
  /// `text` and `handler` must outlive the reader.
  JsonReader(std::string_view text, JsonHandler& handler);

  /// Goes one token on. InvalidArgument for what is no JSON.
  Status step();
  /// Whether the text has been read to its end.
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
  /// What comes next; a stack has what comes behind that.
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
  /// Of what more text could have made right.
  Status fail_cut(std::string_view message);
  /// Messages show what stands around a place, but nothing before a token that the end of the text may have cut:
  /// protobuf reads it anew.
  void begin_anew();

  const std::string_view text_;
  JsonHandler& handler_;
  size_t at_ = 0;
  size_t shown_from_ = 0;
  bool is_anew_ = false;
  bool ended_ = false;
  int objects_ = 0;  // that are open
  int lists_ = 0;
  std::vector<State> states_{State::kValue};
  std::string name_;
};

}  // namespace tinytf::ops
