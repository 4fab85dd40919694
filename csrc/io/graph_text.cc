#include "io/graph_text.h"

#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/number_text.h"
#include "io/wire.h"

namespace tinytf {

namespace {

constexpr std::array<const char*, 24> kTypes = {
    "DT_INVALID",   "DT_FLOAT",  "DT_DOUBLE",     "DT_INT32", "DT_UINT8",    "DT_INT16",   "DT_INT8",     "DT_STRING",
    "DT_COMPLEX64", "DT_INT64",  "DT_BOOL",       "DT_QINT8", "DT_QUINT8",   "DT_QINT32",  "DT_BFLOAT16", "DT_QINT16",
    "DT_QUINT16",   "DT_UINT16", "DT_COMPLEX128", "DT_HALF",  "DT_RESOURCE", "DT_VARIANT", "DT_UINT32",   "DT_UINT64"};
constexpr uint64_t kRef = 100;  // Offset of the numbers of reference types.

void append_quoted(std::string& out, std::string_view text, bool keeps_utf8) {
  out += '"';
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if (each == '\n') {
      out += "\\n";
    } else if (each == '\r') {
      out += "\\r";
    } else if (each == '\t') {
      out += "\\t";
    } else if (each == '"' || each == '\'' || each == '\\') {
      out += '\\';
      out += each;
    } else if ((byte >= 32 && byte < 127) || (keeps_utf8 && byte >= 128)) {
      out += each;
    } else {
      out += '\\';
      for (const int shift : {6, 3, 0}) out += static_cast<char>('0' + ((byte >> shift) & 7));
    }
  }
  out += '"';
}

/// Prints fields and messages, line by line. `fits` is false once something could not be printed.
class Printer {
 public:
  Printer(std::string& out, int indent) : out_(out), indent_(indent) {}

  bool fits() const { return fits_; }

  void type(uint64_t number, const char* name = "type: ") {
    const uint64_t plain = number > kRef ? number - kRef : number;
    if (plain >= kTypes.size()) return leave();
    line(name, std::string(kTypes[plain]) + (number > kRef ? "_REF" : ""));
  }
  void line(const char* name, const std::string& value) {
    blanks();
    out_.append(name).append(value) += '\n';
  }
  void quoted(const char* name, std::string_view text, bool keeps_utf8) {
    blanks();
    out_ += name;
    append_quoted(out_, text, keeps_utf8);
    out_ += '\n';
  }
  template <class Body>
  void message(const char* name, Body body) {
    blanks();
    out_.append(name) += " {\n";
    indent_ += 2;
    body();
    indent_ -= 2;
    blanks();
    out_ += "}\n";
  }

  void shape(std::string_view bytes, const char* name = "shape") {
    message(name, [&] { shape_fields(bytes); });
  }
  void number(const char* name, uint64_t float_bits) {
    const auto bits = static_cast<uint32_t>(float_bits);
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    line(name, shortest_text(value));
  }
  /// Prints a tensor of floats, integers, bools or strings, or one with its content as raw memory.
  void tensor(std::string_view bytes) {
    message("tensor", [&] {
      uint32_t last = 0;
      WireReader fields(bytes);
      while (fields.next()) {
        const uint32_t field = fields.field();
        // Fields must come in the order in which they are printed; only repeated values may occur twice.
        const bool may_follow = field == 5 || field > 6;
        if (field < last || (field == last && (!may_follow || fields.is(field, WireType::kBytes)) && field != 8))
          leave();
        last = field;
        if (fields.is(1, WireType::kVarint)) {
          if (fields.number() != 0) type(fields.number(), "dtype: ");
        } else if (fields.is(2, WireType::kBytes)) {
          shape(fields.bytes(), "tensor_shape");
        } else if (fields.is(4, WireType::kBytes)) {
          if (!fields.bytes().empty()) quoted("tensor_content: ", fields.bytes(), false);
        } else if (field == 5) {
          fields.numbers(5, WireType::kFixed32, [&](uint64_t bits) { number("float_val: ", bits); });
        } else if (field == 7) {
          fields.numbers(7, WireType::kVarint,
                         [&](uint64_t n) { line("int_val: ", std::to_string(static_cast<int32_t>(n))); });
        } else if (fields.is(8, WireType::kBytes)) {
          quoted("string_val: ", fields.bytes(), false);
        } else if (field == 10) {
          fields.numbers(10, WireType::kVarint,
                         [&](uint64_t n) { line("int64_val: ", std::to_string(static_cast<int64_t>(n))); });
        } else if (field == 11) {
          fields.numbers(11, WireType::kVarint, [&](uint64_t n) { line("bool_val: ", n ? "true" : "false"); });
        } else {
          leave();
        }
      }
      if (!fields.ok()) leave();
    });
  }
  void list(std::string_view bytes) {
    message("list", [&] {
      WireReader fields(bytes);
      while (fields.next()) {
        if (fields.is(2, WireType::kBytes)) {
          quoted("s: ", fields.bytes(), false);
        } else if (fields.field() == 3) {
          fields.numbers(3, WireType::kVarint,
                         [&](uint64_t n) { line("i: ", std::to_string(static_cast<int64_t>(n))); });
        } else if (fields.field() == 4) {
          fields.numbers(4, WireType::kFixed32, [&](uint64_t bits) { number("f: ", bits); });
        } else if (fields.field() == 5) {
          fields.numbers(5, WireType::kVarint, [&](uint64_t n) { line("b: ", n ? "true" : "false"); });
        } else if (fields.field() == 6) {
          fields.numbers(6, WireType::kVarint, [&](uint64_t n) { type(n); });
        } else if (fields.is(7, WireType::kBytes)) {
          shape(fields.bytes());
        } else {
          leave();
        }
      }
      if (!fields.ok()) leave();
    });
  }

 private:
  void shape_fields(std::string_view bytes) {
    WireReader fields(bytes);
    bool unknown = false;
    while (fields.next()) {
      if (fields.is(3, WireType::kVarint)) {
        unknown = fields.number() != 0;
      } else if (fields.is(2, WireType::kBytes)) {
        message("dim", [&] { dim_fields(fields.bytes()); });
      } else {
        leave();
      }
    }
    if (!fields.ok()) leave();
    if (unknown) line("unknown_rank: ", "true");
  }
  void dim_fields(std::string_view bytes) {
    WireReader fields(bytes);
    while (fields.next()) {
      if (!fields.is(1, WireType::kVarint)) return leave();  // The dimension's name.
      if (fields.number() != 0) line("size: ", std::to_string(fields.int64()));
    }
    if (!fields.ok()) leave();
  }
  void blanks() { out_.append(static_cast<size_t>(indent_), ' '); }
  void leave() { fits_ = false; }

  std::string& out_;
  int indent_;
  bool fits_ = true;
};

/// Text of an AttrValue; nullopt for uncommon kinds.
std::optional<std::string> common_value(std::string_view bytes, int indent) {
  std::string out;
  Printer printer(out, indent);
  WireReader fields(bytes);
  if (!fields.next()) return std::nullopt;
  if (fields.is(1, WireType::kBytes)) {
    printer.list(fields.bytes());
  } else if (fields.is(2, WireType::kBytes)) {
    printer.quoted("s: ", fields.bytes(), false);
  } else if (fields.is(3, WireType::kVarint)) {
    printer.line("i: ", std::to_string(fields.int64()));
  } else if (fields.is(4, WireType::kFixed32)) {
    printer.number("f: ", fields.number());
  } else if (fields.is(5, WireType::kVarint)) {
    printer.line("b: ", fields.number() ? "true" : "false");
  } else if (fields.is(6, WireType::kVarint)) {
    printer.type(fields.number());
  } else if (fields.is(7, WireType::kBytes)) {
    printer.shape(fields.bytes());
  } else if (fields.is(8, WireType::kBytes)) {
    printer.tensor(fields.bytes());
  } else {
    return std::nullopt;
  }
  if (fields.next() || !fields.ok() || !printer.fits()) return std::nullopt;
  return out;
}

class NodesText {
 public:
  explicit NodesText(const PrintMessage& print) : print_(print) {}

  Status add(std::string_view node) {
    std::string_view name, op, device, debug_info;
    bool has_debug_info = false;
    std::string inputs;
    std::map<std::string_view, std::string_view> attrs;
    Printer input_lines(inputs, 2);
    WireReader fields(node);
    while (fields.next()) {
      if (fields.is(1, WireType::kBytes)) name = fields.bytes();
      if (fields.is(2, WireType::kBytes)) op = fields.bytes();
      if (fields.is(3, WireType::kBytes)) input_lines.quoted("input: ", fields.bytes(), true);
      if (fields.is(4, WireType::kBytes)) device = fields.bytes();
      if (fields.is(5, WireType::kBytes)) TINYTF_RETURN_IF_ERROR(take_attr(fields.bytes(), attrs));
      if (fields.is(6, WireType::kBytes)) {
        debug_info = fields.bytes();
        has_debug_info = true;
      }
    }
    if (!fields.ok()) return damaged();
    text += "node {\n";
    Printer lines(text, 2);
    if (!name.empty()) lines.quoted("name: ", name, true);
    if (!op.empty()) lines.quoted("op: ", op, true);
    text += inputs;
    if (!device.empty()) lines.quoted("device: ", device, true);
    for (const auto& [key, value] : attrs) {
      text += "  attr {\n";
      if (!key.empty()) Printer(text, 4).quoted("key: ", key, true);
      text += "    value {\n";
      add_value(value);
      text += "    }\n  }\n";
    }
    if (has_debug_info) {
      text.append("  experimental_debug_info {\n").append(print_(6, debug_info, 4)).append("  }\n");
    }
    text += "}\n";
    return Status();
  }

  static Status damaged() { return invalid_argument("The bytes are not a serialized GraphDef"); }

  std::string text;

 private:
  static Status take_attr(std::string_view entry, std::map<std::string_view, std::string_view>& attrs) {
    std::string_view key, value;
    WireReader fields(entry);
    while (fields.next()) {
      if (fields.is(1, WireType::kBytes)) key = fields.bytes();
      if (fields.is(2, WireType::kBytes)) value = fields.bytes();
    }
    if (!fields.ok()) return damaged();
    attrs[key] = value;
    return Status();
  }

  void add_value(std::string_view value) {
    constexpr int kIndent = 6;
    auto known = values_.find(value);
    if (known == values_.end()) {
      std::optional<std::string> common = common_value(value, kIndent);
      known = values_.emplace(value, common ? *std::move(common) : print_(5, value, kIndent)).first;
    }
    text += known->second;
  }

  const PrintMessage& print_;
  // Texts by serialized value; the keys are views of the caller's bytes.
  std::unordered_map<std::string_view, std::string> values_;
};

}  // namespace

Result<GraphText> graph_text(std::string_view graph_def, const PrintMessage& print) {
  NodesText nodes(print);
  std::string rest;
  WireReader fields(graph_def);
  while (fields.next()) {
    if (!fields.is(1, WireType::kBytes)) {
      rest += fields.whole();
      continue;
    }
    Status status = nodes.add(fields.bytes());
    if (!status.ok()) return status;
  }
  if (!fields.ok()) return NodesText::damaged();
  return GraphText{std::move(nodes.text), std::move(rest)};
}

}  // namespace tinytf
