#include "graph/attr_proto.h"

#include <cstring>

#include "op/compact_constant.h"
#include "op/op_def.h"
#include "tensor/written_form.h"

namespace tinytf {

namespace {

constexpr uint32_t kEntryKey = 1, kEntryValue = 2;  // Fields of a map entry.
constexpr uint32_t kFuncName = 1, kFuncAttr = 2;    // Fields of NameAttrList.
constexpr int kKinds = static_cast<int>(AttrKind::kFunc) + 1;

// Tensors above this size in bytes stay compact if less than half of their elements are given.
constexpr int64_t kMaxFilled = int64_t{1} << 24;

AttrKind kind_at(int i) { return static_cast<AttrKind>(i); }
/// A list has the field numbers of single values, except for functions.
uint32_t list_field(AttrKind kind) { return static_cast<uint32_t>(kind) + 2; }
AttrContent::Field single_field(AttrKind kind) {
  return kind == AttrKind::kFunc ? AttrContent::kFunc : static_cast<AttrContent::Field>(list_field(kind));
}

WireType wire_type(AttrKind kind) {
  switch (kind) {
    case AttrKind::kInt:
    case AttrKind::kBool:
    case AttrKind::kType: return WireType::kVarint;
    case AttrKind::kFloat: return WireType::kFixed32;
    default: return WireType::kBytes;
  }
}

std::string kind_text(AttrKind kind, bool is_list) {
  AttrDef def;
  def.kind = kind;
  def.is_list = is_list;
  return def.kind_text();
}

float float_of_bits(uint64_t bits) {
  const auto word = static_cast<uint32_t>(bits);
  float value = 0;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

/// Calls use(bits, bytes) for each item of kind `kind` in a list. Returns false if the list is malformed.
template <class Use>
bool each_item(std::string_view list, AttrKind kind, Use use) {
  WireReader fields(list);
  while (fields.next()) {
    if (wire_type(kind) != WireType::kBytes) {
      fields.numbers(list_field(kind), wire_type(kind), [&](uint64_t bits) { use(bits, std::string_view()); });
    } else if (fields.is(list_field(kind), WireType::kBytes)) {
      use(uint64_t{0}, fields.bytes());
    }
  }
  return fields.ok();
}

bool has_items(std::string_view list, AttrKind kind) {
  bool found = false;
  each_item(list, kind, [&](uint64_t, std::string_view) { found = true; });
  return found;
}

Result<DType> read_type(uint64_t bits) {
  const auto number = static_cast<int32_t>(bits);
  const auto dtype = dtype_of_number(number);
  if (!dtype) return unimplemented("Cannot convert value ", number, " to a TensorFlow DType.");
  return *dtype;
}

Result<FuncRef> read_func(std::string_view bytes) {
  FuncRef func;
  WireReader fields(bytes);
  while (fields.next()) {
    if (fields.is(kFuncName, WireType::kBytes)) func.name = fields.text();
    if (!fields.is(kFuncAttr, WireType::kBytes)) continue;
    std::string name;
    MergedBytes value;
    WireReader entry(fields.bytes());
    while (entry.next()) {
      if (entry.is(kEntryKey, WireType::kBytes)) name = entry.text();
      if (entry.is(kEntryValue, WireType::kBytes)) value.add(entry.bytes());
    }
    if (!entry.ok()) return invalid_argument("the NameAttrList is damaged");
    func.attrs.emplace_back(std::move(name), value.view());
  }
  if (!fields.ok()) return invalid_argument("the NameAttrList is damaged");
  return func;
}

Result<Tensor> read_list_tensor(std::string_view bytes) {
  TINYTF_ASSIGN_OR_RETURN(AttrValue value, read_tensor(bytes));
  if (Tensor* tensor = std::get_if<Tensor>(&value)) return std::move(*tensor);
  return invalid_argument("a tensor in a list has fewer elements than its shape");
}

template <class T, class Read>
Result<AttrValue> read_items(std::string_view list, AttrKind kind, Read read) {
  std::vector<T> items;
  Status status;
  const bool whole = each_item(list, kind, [&](uint64_t bits, std::string_view bytes) {
    if (!status.ok()) return;
    Result<T> item = read(bits, bytes);
    if (item.ok()) {
      items.push_back(item.take());
    } else {
      status = item.status();
    }
  });
  if (!whole) return invalid_argument("the list is damaged");
  TINYTF_RETURN_IF_ERROR(status);
  return AttrValue(std::move(items));
}

/// Readers of an item of a list, or of a single value: <kind>_item(bits, bytes).
Result<std::string> string_item(uint64_t, std::string_view bytes) { return std::string(bytes); }
Result<int64_t> int_item(uint64_t bits, std::string_view) { return static_cast<int64_t>(bits); }
Result<float> float_item(uint64_t bits, std::string_view) { return float_of_bits(bits); }
Result<bool> bool_item(uint64_t bits, std::string_view) { return bits != 0; }
Result<DType> type_item(uint64_t bits, std::string_view) { return read_type(bits); }
Result<PartialShape> shape_item(uint64_t, std::string_view bytes) { return read_shape(bytes); }
Result<Tensor> tensor_item(uint64_t, std::string_view bytes) { return read_list_tensor(bytes); }
Result<FuncRef> func_item(uint64_t, std::string_view bytes) { return read_func(bytes); }

Result<AttrValue> read_list(std::string_view list, AttrKind kind) {
  switch (kind) {
    case AttrKind::kString: return read_items<std::string>(list, kind, string_item);
    case AttrKind::kInt: return read_items<int64_t>(list, kind, int_item);
    case AttrKind::kFloat: return read_items<float>(list, kind, float_item);
    case AttrKind::kBool: return read_items<bool>(list, kind, bool_item);
    case AttrKind::kType: return read_items<DType>(list, kind, type_item);
    case AttrKind::kShape: return read_items<PartialShape>(list, kind, shape_item);
    case AttrKind::kTensor: return read_items<Tensor>(list, kind, tensor_item);
    case AttrKind::kFunc: return read_items<FuncRef>(list, kind, func_item);
  }
  return internal_error("unknown kind of attr");
}

template <class T>
Result<AttrValue> as_attr(Result<T> value) {
  if (!value.ok()) return value.status();
  return AttrValue(value.take());
}

Result<AttrValue> read_single(uint64_t bits, std::string_view bytes, AttrKind kind) {
  switch (kind) {
    case AttrKind::kString: return as_attr(string_item(bits, bytes));
    case AttrKind::kInt: return as_attr(int_item(bits, bytes));
    case AttrKind::kFloat: return as_attr(float_item(bits, bytes));
    case AttrKind::kBool: return as_attr(bool_item(bits, bytes));
    case AttrKind::kType: return as_attr(type_item(bits, bytes));
    case AttrKind::kShape: return as_attr(shape_item(bits, bytes));
    case AttrKind::kTensor: return read_tensor(bytes);
    case AttrKind::kFunc: return as_attr(func_item(bits, bytes));
  }
  return internal_error("unknown kind of attr");
}

// -- Writing ----------------------------------------------------------------------------------------------------------

struct Writer {
  WireWriter& to;
  /// Writing an item of a list: `number` writes a packed value, `field` returns the list's field number.
  bool in_list;
  Status status;

  uint32_t field(AttrKind kind) const { return in_list ? list_field(kind) : static_cast<uint32_t>(single_field(kind)); }
  void number(AttrKind kind, uint64_t bits) { in_list ? to.number(bits) : to.varint(field(kind), bits); }

  void operator()(std::monostate) {}
  void operator()(const std::string& v) { to.bytes(field(AttrKind::kString), v); }
  void operator()(int64_t v) { number(AttrKind::kInt, static_cast<uint64_t>(v)); }
  void operator()(float v) { in_list ? to.fixed(v) : to.float32(field(AttrKind::kFloat), v); }
  void operator()(bool v) { number(AttrKind::kBool, v); }
  void operator()(DType v) { number(AttrKind::kType, static_cast<uint64_t>(v)); }
  void operator()(const PartialShape& v) {
    to.nested(field(AttrKind::kShape), [&] { write_shape(to, v); });
  }
  void operator()(const Tensor& v) {
    tensor([&] { return write_as_formed(to, v); });
  }
  template <class Write>
  void tensor(Write write) {
    to.nested(field(AttrKind::kTensor), [&] {
      const Status written = write();
      if (!written.ok()) status = written;
    });
  }
  void operator()(const FuncRef& v) {
    to.nested(field(AttrKind::kFunc), [&] {
      if (!v.name.empty()) to.bytes(kFuncName, v.name);
      for (const auto& [name, value] : v.attrs) {
        to.nested(kFuncAttr, [&, &name = name, &value = value] {
          to.bytes(kEntryKey, name);
          to.bytes(kEntryValue, value);
        });
      }
    });
  }
  template <class T>
  void operator()(const std::vector<T>& items) {
    constexpr bool is_row =
        std::is_same_v<T, int64_t> || std::is_same_v<T, float> || std::is_same_v<T, bool> || std::is_same_v<T, DType>;
    to.nested(AttrContent::kList, [&] {
      Writer item{to, true, Status()};
      const auto write_items = [&] {
        for (const T& one : items) item(one);
      };
      if (is_row && !items.empty()) {
        to.nested(list_field(kind_of<T>()), write_items);
      } else {
        write_items();
      }
      status = item.status;
    });
  }
  template <class T>
  static constexpr AttrKind kind_of() {
    if (std::is_same_v<T, int64_t>) return AttrKind::kInt;
    if (std::is_same_v<T, float>) return AttrKind::kFloat;
    return std::is_same_v<T, bool> ? AttrKind::kBool : AttrKind::kType;
  }
};

}  // namespace

Result<AttrValue> tensor_attr(TensorElements found) {
  const int64_t count = found.shape.num_elements(), given = found.elements.num_elements();
  if (found.in_usual_form()) return AttrValue(found.elements.reshaped(std::move(found.shape)));
  const WrittenForm form{found.as_memory, given};
  if (given == count) return AttrValue(in_form(found.elements.reshaped(std::move(found.shape)), form));
  const DType dtype = found.elements.dtype();
  const auto size = static_cast<int64_t>(dtype == DType::kString ? sizeof(std::string) : dtype_size(dtype));
  const bool is_large = !(Size(count) * size).within(0, kMaxFilled);
  TINYTF_ASSIGN_OR_RETURN(CompactConstant constant, CompactConstant::make(std::move(found.elements), found.shape));
  if (is_large && given < count / 2) return constant.attr();
  TINYTF_ASSIGN_OR_RETURN(Tensor value, constant.materialise(Allocator::process()));
  return AttrValue(in_form(std::move(value), form));
}

Result<AttrValue> read_tensor(std::string_view bytes) {
  TINYTF_ASSIGN_OR_RETURN(TensorElements found, read_tensor_elements(bytes));
  return tensor_attr(std::move(found));
}

std::string AttrContent::kind() const {
  if (field == kNone) return "";
  if (field == kPlaceholder) return "placeholder";
  if (field != kList) {
    for (int i = 0; i < kKinds; ++i) {
      if (single_field(kind_at(i)) == field) return kind_text(kind_at(i), false);
    }
  }
  std::string found = "list";
  for (int i = 0; i < kKinds; ++i) {
    if (!has_items(bytes.view(), kind_at(i))) continue;
    if (found != "list") return "list of several kinds";
    found = kind_text(kind_at(i), true);
  }
  return found;
}

Result<AttrContent> read_attr_content(std::string_view bytes) {
  AttrContent content;
  WireReader fields(bytes);
  while (fields.next()) {
    AttrContent::Field field = AttrContent::kNone;
    if (fields.is(AttrContent::kList, WireType::kBytes)) field = AttrContent::kList;
    if (fields.is(AttrContent::kPlaceholder, WireType::kBytes)) field = AttrContent::kPlaceholder;
    for (int i = 0; i < kKinds; ++i) {
      if (fields.is(single_field(kind_at(i)), wire_type(kind_at(i)))) field = single_field(kind_at(i));
    }
    if (field == AttrContent::kNone) continue;
    const bool is_message = field == AttrContent::kList || field == AttrContent::kShape ||
                            field == AttrContent::kTensor || field == AttrContent::kFunc;
    // The last field wins; parts of one message are merged.
    if (content.field != field || !is_message) content = AttrContent();
    content.field = field;
    content.number = fields.number();
    content.bytes.add(fields.bytes());  // Unused for numbers.
  }
  if (!fields.ok()) return invalid_argument("the AttrValue is damaged");
  return content;
}

Result<AttrValue> read_attr(const AttrContent& content, AttrKind kind, bool is_list) {
  return is_list ? read_list(content.bytes.view(), kind) : read_single(content.number, content.bytes.view(), kind);
}

Result<AttrValue> read_attr(const AttrContent& content) {
  constexpr uint64_t kMaxNumber = 255;
  if (content.field == AttrContent::kNone) return AttrValue();
  if (content.field == AttrContent::kPlaceholder) return read_attr(content, AttrKind::kString, false);
  // Keeps unknown dtype numbers: the attr is not declared, so no kernel reads it.
  if (content.field == AttrContent::kType && content.number <= kMaxNumber) {
    return AttrValue(static_cast<DType>(content.number));
  }
  for (int i = 0; i < kKinds; ++i) {
    const bool is_list = content.field == AttrContent::kList;
    const bool is_it =
        is_list ? has_items(content.bytes.view(), kind_at(i)) : single_field(kind_at(i)) == content.field;
    if (is_it) return read_attr(content, kind_at(i), is_list);
  }
  return read_attr(content, AttrKind::kString, true);
}

Status write_attr(WireWriter& to, const AttrValue& value) {
  Writer writer{to, false, Status()};
  if (const auto constant = CompactConstant::of(value)) {
    writer.tensor([&] { return write_tensor(to, constant->elements(), constant->shape()); });
  } else {
    std::visit(writer, value);
  }
  return writer.status;
}

}  // namespace tinytf
