#include "ops/parsing/shared/json_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/number_text.h"
#include "base/parse_number.h"
#include "base/str_cat.h"

namespace tinytf::ops {

namespace {

constexpr int kMostDeep = 100;       // limit of nested objects, and of nested lists
constexpr size_t kShown = 20;        // number of bytes shown before and after the position of an error
constexpr size_t kLongestWord = 5;   // length of "false", the longest of the keywords
constexpr size_t kEscapeLength = 6;  // length of \u and four digits
constexpr uint32_t kSurrogates = 0xD800, kLowSurrogates = 0xDC00, kBehindSurrogates = 0xE000;

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
bool is_low(uint32_t code) { return code >= kLowSurrogates && code < kBehindSurrogates; }
bool is_high(uint32_t code) { return code >= kSurrogates && code < kLowSurrogates; }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

void append_utf8(uint32_t code, std::string& out) {
  const auto add = [&](uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      add(0xE0 | code >> 12);
    } else {
      add(0xF0 | code >> 18);
      add(0x80 | (code >> 12 & 0x3F));
    }
    add(0x80 | (code >> 6 & 0x3F));
  }
  add(0x80 | (code & 0x3F));
}

template <class Integer>
bool whole_number(std::string_view digits, Integer& value) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size();
}

}  // namespace

std::string JsonValue::quoted() const {
  switch (kind) {
    case Kind::kNull: return "null";
    case Kind::kBool: return is_true ? "true" : "false";
    case Kind::kInt: return std::to_string(integer);
    case Kind::kUnsigned: return std::to_string(natural);
    case Kind::kReal: return number_text(real);
    case Kind::kString: break;
  }
  return str_cat("\"", text, "\"");
}

JsonReader::JsonReader(std::string_view text, JsonHandler& handler) : text_(text), handler_(handler) {}

Status JsonReader::fail(std::string_view message) const {
  const size_t from = std::max(shown_from_, at_ > kShown ? at_ - kShown : 0);
  const std::string_view shown = text_.substr(from, at_ - from + kShown);
  return invalid_argument(message, "\n", shown, "\n", std::string(at_ - from, ' '), "^");
}

Status JsonReader::fail_cut(std::string_view message) {
  begin_anew();
  return rest().empty() ? fail(str_cat("Unexpected end of string. ", message)) : fail(message);
}

Status JsonReader::too_deep() const {
  return invalid_argument("Message too deep. Max recursion depth reached for key '", name_, "'");
}

void JsonReader::begin_anew() {
  if (!is_anew_) shown_from_ = at_;
  is_anew_ = true;
}

void JsonReader::skip_spaces() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
}

JsonReader::Token JsonReader::next_token() {
  skip_spaces();
  if (at_ == text_.size()) return Token::kUnknown;
  const char c = text_[at_];
  switch (c) {
    case '"':
    case '\'': return Token::kString;
    case '{': return Token::kObject;
    case '}': return Token::kObjectEnd;
    case '[': return Token::kList;
    case ']': return Token::kListEnd;
    case ':': return Token::kColon;
    case ',': return Token::kComma;
    default: break;
  }
  if (c == '-' || is_digit(c)) return Token::kNumber;
  if (starts_with("true")) return Token::kTrue;
  if (starts_with("false")) return Token::kFalse;
  if (starts_with("null")) return Token::kNull;
  return begins_name(c) ? Token::kName : Token::kUnknown;
}

Status JsonReader::step() {
  if (states_.empty()) return end();
  const Token token = next_token();
  const State state = states_.back();
  states_.pop_back();
  return read(state, token);
}

Status JsonReader::end() {
  skip_spaces();
  if (at_ < text_.size()) return fail("Parsing terminated before end of input.");
  ended_ = true;
  return Status();
}

Status JsonReader::read(State state, Token token) {
  switch (state) {
    case State::kValue: return read_value(token);
    case State::kElement: return read_element(token);
    case State::kMember: return read_member(token);
    case State::kElementEnd:
      if (token == Token::kUnknown) return fail_cut("Expected , or ] after array value.");
      if (token == Token::kListEnd) return read_element(token);
      if (token != Token::kComma) return fail("Expected , or ] after array value.");
      states_.push_back(State::kElement);
      break;
    case State::kMemberMiddle:
      if (token == Token::kUnknown) return fail_cut("Expected : between key:value pair.");
      if (token != Token::kColon) return fail("Expected : between key:value pair.");
      states_.push_back(State::kValue);
      break;
    case State::kMemberEnd:
      if (token == Token::kUnknown) return fail_cut("Expected , or } after key:value pair.");
      if (token == Token::kObjectEnd) return read_member(token);
      if (token != Token::kComma) return fail("Expected , or } after key:value pair.");
      states_.push_back(State::kMember);
      break;
  }
  ++at_;
  return Status();
}

void JsonReader::give(const JsonValue& value) {
  handler_.value(name_, value);
  name_.clear();
}

Status JsonReader::read_value(Token token) {
  JsonValue value;
  switch (token) {
    case Token::kObject:
      ++at_;
      handler_.begin_object(name_);
      if (++objects_ > kMostDeep) return too_deep();
      name_.clear();
      states_.push_back(State::kMember);
      return Status();
    case Token::kList:
      ++at_;
      handler_.begin_list(name_);
      if (++lists_ > kMostDeep) return too_deep();
      name_.clear();
      states_.push_back(State::kElement);
      return Status();
    case Token::kString: {
      std::string text;
      TINYTF_RETURN_IF_ERROR(read_string(text));
      value.kind = JsonValue::Kind::kString;
      value.text = text;
      give(value);
      return Status();
    }
    case Token::kNumber:
      TINYTF_RETURN_IF_ERROR(read_number(value));
      give(value);
      return Status();
    case Token::kTrue:
    case Token::kFalse:
      value.kind = JsonValue::Kind::kBool;
      value.is_true = token == Token::kTrue;
      at_ += value.is_true ? 4 : 5;
      give(value);
      return Status();
    case Token::kNull:
      at_ += 4;
      give(value);
      return Status();
    case Token::kUnknown: return fail_cut("Expected a value.");
    default:
      if (rest().size() < kLongestWord) begin_anew();
      return fail("Unexpected token.");
  }
}

Status JsonReader::read_element(Token token) {
  if (token == Token::kUnknown) return fail_cut("Expected a value or ] within an array.");
  if (token == Token::kListEnd) {
    handler_.end_list();
    --lists_;
    ++at_;
    return Status();
  }
  states_.push_back(State::kElementEnd);
  return read_value(token);
}

Status JsonReader::read_member(Token token) {
  if (token == Token::kUnknown) return fail_cut("Expected an object key or }.");
  if (token == Token::kObjectEnd) {
    handler_.end_object();
    --objects_;
    ++at_;
    return Status();
  }
  name_.clear();
  if (token == Token::kString) {
    TINYTF_RETURN_IF_ERROR(read_string(name_));
  } else if (token == Token::kName) {
    TINYTF_RETURN_IF_ERROR(read_name());
  } else {
    return fail("Expected an object key or }.");
  }
  states_.push_back(State::kMemberEnd);
  states_.push_back(State::kMemberMiddle);
  return Status();
}

Status JsonReader::read_name() {
  size_t length = 0;
  const std::string_view from = rest();
  while (length < from.size() && (begins_name(from[length]) || is_digit(from[length]))) ++length;
  if (length == from.size()) begin_anew();
  name_ = from.substr(0, length);
  at_ += length;
  return Status();
}

Status JsonReader::read_string(std::string& out) {
  const char quote = text_[at_++];
  const char ends[] = {quote, '\\'};
  for (;;) {
    const size_t end = std::min(text_.find_first_of(std::string_view(ends, 2), at_), text_.size());
    out += text_.substr(at_, end - at_);
    at_ = end;
    if (rest().size() < 2 && (rest().empty() || rest()[0] == '\\')) {
      begin_anew();
      return fail("Closing quote expected in string.");
    }
    if (rest()[0] == quote) {
      ++at_;
      return Status();
    }
    TINYTF_RETURN_IF_ERROR(read_escape(out));
  }
}

Status JsonReader::read_escape(std::string& out) {
  const char c = text_[at_ + 1];
  if (c != 'u') {
    const size_t place = std::string_view("bfnrtv").find(c);
    out += place == std::string_view::npos ? c : "\b\f\n\r\t\v"[place];
    at_ += 2;
    return Status();
  }
  if (rest().size() < kEscapeLength) {
    begin_anew();
    return fail("Illegal hex string.");
  }
  uint32_t code = 0;
  TINYTF_RETURN_IF_ERROR(read_code(at_, code));
  size_t length = kEscapeLength;
  if (is_high(code)) {
    length *= 2;
    if (rest().size() < length) {
      begin_anew();
      return fail("Missing low surrogate.");
    }
    if (rest().substr(kEscapeLength, 2) != "\\u") return fail("Missing low surrogate.");
    uint32_t low = 0;
    TINYTF_RETURN_IF_ERROR(read_code(at_ + kEscapeLength, low));
    if (!is_low(low)) return fail("Invalid low surrogate.");
    code = 0x10000 + ((code - kSurrogates) << 10) + (low - kLowSurrogates);
  } else if (is_low(code)) {
    return fail("Invalid unicode code point.");
  }
  append_utf8(code, out);
  at_ += length;
  return Status();
}

/// Decodes an escape; all of its six characters must be there.
Status JsonReader::read_code(size_t at, uint32_t& code) const {
  code = 0;
  for (const char c : text_.substr(at + 2, 4)) {
    const int digit = hex_digit(c);
    if (digit < 0) return fail("Invalid escape sequence.");
    code = code << 4 | static_cast<uint32_t>(digit);
  }
  return Status();
}

Status JsonReader::read_number(JsonValue& number) {
  const std::string_view from = rest();
  size_t length = 0;
  bool is_real = false;
  for (; length < from.size(); ++length) {
    const char c = from[length];
    const bool is_of_real = c == '.' || c == 'e' || c == 'E';
    if (!is_digit(c) && !is_of_real && c != '+' && c != '-' && c != 'x') break;
    is_real = is_real || is_of_real;
  }
  if (length == from.size()) begin_anew();
  const std::string_view digits = from.substr(0, length);
  const bool is_negative = digits[0] == '-';
  if (!is_real) {
    const size_t first = is_negative ? 1 : 0;
    if (length >= first + 2 && digits[first] == '0') return fail("Octal/hex numbers are not valid JSON values.");
    const bool is_whole = is_negative ? whole_number(digits, number.integer) : whole_number(digits, number.natural);
    number.kind = is_negative ? JsonValue::Kind::kInt : JsonValue::Kind::kUnsigned;
    if (is_whole) {
      at_ += length;
      return Status();
    }
  }
  number.kind = JsonValue::Kind::kReal;
  if (!parse_number(digits, number.real)) return fail("Unable to parse number.");
  if (!std::isfinite(number.real)) return fail("Number exceeds the range of double.");
  at_ += length;
  return Status();
}

}  // namespace tinytf::ops
