#include "graph/op_def_proto.h"

#include "graph/attr_proto.h"
#include "op/removed_ops.h"

namespace tinytf {

namespace {

// Fields of OpDef.
constexpr uint32_t kOpName = 1, kInputArg = 2, kOutputArg = 3, kOpAttr = 4;
constexpr uint32_t kDeprecation = 8, kVersion = 1, kExplanation = 2;
constexpr uint32_t kIsAggregate = 16, kIsStateful = 17, kIsCommutative = 18, kAllowsUninitializedInput = 19;
// Fields of ArgDef.
constexpr uint32_t kArgName = 1, kArgType = 3, kTypeAttr = 4, kNumberAttr = 5, kTypeListAttr = 6, kIsRef = 16;
// Fields of AttrDef.
constexpr uint32_t kAttrName = 1, kAttrType = 2, kDefaultValue = 3, kHasMinimum = 5, kMinimum = 6, kAllowedValues = 7;

constexpr AttrKind kAttrKinds[] = {AttrKind::kString, AttrKind::kInt,   AttrKind::kFloat,  AttrKind::kBool,
                                   AttrKind::kType,   AttrKind::kShape, AttrKind::kTensor, AttrKind::kFunc};

void write_flag(WireWriter& to, uint32_t field, bool flag) {
  if (flag) to.varint(field, 1);
}

void write_arg(WireWriter& to, const ArgDef& arg) {
  write_text(to, kArgName, arg.name);
  if (arg.type != DType::kInvalid) to.varint(kArgType, static_cast<uint64_t>(arg.type));
  write_text(to, kTypeAttr, arg.type_attr);
  write_text(to, kNumberAttr, arg.number_attr);
  write_text(to, kTypeListAttr, arg.type_list_attr);
  write_flag(to, kIsRef, arg.is_ref);
}

Status write_attr_def(WireWriter& to, const AttrDef& attr) {
  Status status;
  const auto write_value = [&](uint32_t field, const AttrValue& value) {
    to.nested(field, [&] {
      const Status written = write_attr(to, value);
      if (!written.ok()) status = written;
    });
  };
  write_text(to, kAttrName, attr.name);
  write_text(to, kAttrType, attr.kind_text());
  if (attr.default_value) write_value(kDefaultValue, *attr.default_value);
  if (attr.minimum) {
    write_flag(to, kHasMinimum, true);
    if (*attr.minimum != 0) to.int64(kMinimum, *attr.minimum);
  }
  if (!attr.allowed_types.empty()) {
    write_value(kAllowedValues, attr.allowed_types);
  } else if (!attr.allowed_strings.empty()) {
    write_value(kAllowedValues, attr.allowed_strings);
  }
  return status;
}

Result<ArgDef> read_arg(std::string_view bytes) {
  ArgDef arg;
  WireReader fields(bytes);
  while (fields.next()) {
    if (fields.is(kArgName, WireType::kBytes)) arg.name = fields.text();
    if (fields.is(kArgType, WireType::kVarint)) arg.type = static_cast<DType>(fields.number());
    if (fields.is(kTypeAttr, WireType::kBytes)) arg.type_attr = fields.text();
    if (fields.is(kNumberAttr, WireType::kBytes)) arg.number_attr = fields.text();
    if (fields.is(kTypeListAttr, WireType::kBytes)) arg.type_list_attr = fields.text();
    if (fields.is(kIsRef, WireType::kVarint)) arg.is_ref = fields.number() != 0;
  }
  if (!fields.ok()) return invalid_argument("the OpDef is damaged");
  return arg;
}

/// Parses a kind such as "list(int)".
Status set_kind(AttrDef& attr, std::string_view text) {
  for (const bool is_list : {false, true}) {
    for (const AttrKind kind : kAttrKinds) {
      attr.kind = kind;
      attr.is_list = is_list;
      if (attr.kind_text() == text) return Status();
    }
  }
  return invalid_argument("'", text, "' is not a type of an attr");
}

Result<AttrDef> read_attr_def(std::string_view bytes) {
  AttrDef attr;
  std::string_view type;
  MergedBytes default_value, allowed;
  bool has_default = false, has_minimum = false;
  int64_t minimum = 0;
  WireReader fields(bytes);
  while (fields.next()) {
    if (fields.is(kAttrName, WireType::kBytes)) attr.name = fields.text();
    if (fields.is(kAttrType, WireType::kBytes)) type = fields.text();
    if (fields.is(kHasMinimum, WireType::kVarint)) has_minimum = fields.number() != 0;
    if (fields.is(kMinimum, WireType::kVarint)) minimum = fields.int64();
    if (fields.is(kAllowedValues, WireType::kBytes)) allowed.add(fields.bytes());
    if (!fields.is(kDefaultValue, WireType::kBytes)) continue;
    has_default = true;
    default_value.add(fields.bytes());
  }
  if (!fields.ok()) return invalid_argument("the OpDef is damaged");
  TINYTF_RETURN_IF_ERROR(set_kind(attr, type));
  if (has_minimum) attr.minimum = minimum;
  if (has_default) {
    TINYTF_ASSIGN_OR_RETURN(const AttrContent content, read_attr_content(default_value.view()));
    TINYTF_ASSIGN_OR_RETURN(attr.default_value, read_attr(content, attr.kind, attr.is_list));
  }
  TINYTF_ASSIGN_OR_RETURN(const AttrContent content, read_attr_content(allowed.view()));
  TINYTF_ASSIGN_OR_RETURN(const AttrValue values, read_attr(content));
  if (const auto* types = std::get_if<std::vector<DType>>(&values)) attr.allowed_types = *types;
  if (const auto* strings = std::get_if<std::vector<std::string>>(&values)) attr.allowed_strings = *strings;
  return attr;
}

}  // namespace

Status write_op_def(WireWriter& to, const OpDef& op) {
  write_text(to, kOpName, op.name);
  for (const ArgDef& arg : op.inputs) {
    to.nested(kInputArg, [&] { write_arg(to, arg); });
  }
  for (const ArgDef& arg : op.outputs) {
    to.nested(kOutputArg, [&] { write_arg(to, arg); });
  }
  for (const AttrDef& attr : op.attrs) {
    Status status;
    to.nested(kOpAttr, [&] { status = write_attr_def(to, attr); });
    TINYTF_RETURN_IF_ERROR(status);
  }
  if (const RemovedOp* removed = find_removed_op(op.name)) {
    to.nested(kDeprecation, [&] {
      to.int64(kVersion, removed->version);
      to.bytes(kExplanation, removed->advice);
    });
  }
  write_flag(to, kIsAggregate, op.is_aggregate);
  write_flag(to, kIsStateful, op.is_stateful);
  write_flag(to, kIsCommutative, op.is_commutative);
  write_flag(to, kAllowsUninitializedInput, op.allows_uninitialized_input);
  return Status();
}

Result<OpDef> read_op_def(std::string_view bytes) {
  OpDef op;
  WireReader fields(bytes);
  while (fields.next()) {
    if (fields.is(kOpName, WireType::kBytes)) op.name = fields.text();
    if (fields.is(kIsStateful, WireType::kVarint)) op.is_stateful = fields.number() != 0;
    for (auto [field, args] : {std::pair(kInputArg, &op.inputs), std::pair(kOutputArg, &op.outputs)}) {
      if (!fields.is(field, WireType::kBytes)) continue;
      TINYTF_ASSIGN_OR_RETURN(ArgDef arg, read_arg(fields.bytes()));
      args->push_back(std::move(arg));
    }
    if (!fields.is(kOpAttr, WireType::kBytes)) continue;
    TINYTF_ASSIGN_OR_RETURN(AttrDef attr, read_attr_def(fields.bytes()));
    op.attrs.push_back(std::move(attr));
  }
  if (!fields.ok()) return invalid_argument("the OpDef is damaged");
  return op;
}

}  // namespace tinytf
