#include "op/node_info.h"

#include <algorithm>
#include <limits>

#include "op/compact_constant.h"
#include "op/op_summary.h"

namespace tinytf {

namespace {

size_t list_length(const AttrValue& value) {
  return std::visit(
      [](const auto& v) -> size_t {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::string> || !std::is_class_v<T> || std::is_same_v<T, std::monostate> ||
                      std::is_same_v<T, PartialShape> || std::is_same_v<T, Tensor> || std::is_same_v<T, FuncRef>) {
          return 0;
        } else {
          return v.size();
        }
      },
      value);
}

/// Index in AttrValue of values of this kind: after monostate it has all kinds in order, then their lists.
size_t variant_index(const AttrDef& def) {
  constexpr auto index_of = [](AttrKind kind) { return 1 + static_cast<size_t>(kind); };
  constexpr size_t kKinds = index_of(AttrKind::kFunc);
  static_assert(std::is_same_v<std::variant_alternative_t<index_of(AttrKind::kString), AttrValue>, std::string>);
  static_assert(std::is_same_v<std::variant_alternative_t<index_of(AttrKind::kFunc), AttrValue>, FuncRef>);
  static_assert(
      std::is_same_v<std::variant_alternative_t<kKinds + index_of(AttrKind::kFunc), AttrValue>, std::vector<FuncRef>>);
  return index_of(def.kind) + (def.is_list ? kKinds : 0);
}

Status check_type(const NodeInfo& node, const AttrDef& def, DType dtype) {
  if (def.allowed_types.empty() ||
      std::find(def.allowed_types.begin(), def.allowed_types.end(), dtype) != def.allowed_types.end()) {
    return Status();
  }
  return invalid_argument("Value for attr '", def.name, "' of ", dtype_name(dtype),
                          " is not in the list of allowed values: ",
                          str_join(def.allowed_types, ", ", [](DType t) { return std::string(dtype_name(t)); }),
                          "\n\t; NodeDef: {{node ", node.name, "}}; ", op_summary(*node.op));
}

Status check_attr(const NodeInfo& node, const AttrDef& def, const AttrValue& value) {
  if (def.kind == AttrKind::kTensor && node.op->has(Trait::kConstant) && CompactConstant::of(value)) return Status();
  if (value.index() != variant_index(def)) {
    return invalid_argument("AttrValue had value with a type other than '", def.kind_text(), "' for attr '", def.name,
                            "'; NodeDef: {{node ", node.name, "}}; ", op_summary(*node.op));
  }
  if (const DType* dtype = std::get_if<DType>(&value)) return check_type(node, def, *dtype);
  if (const auto* dtypes = std::get_if<std::vector<DType>>(&value)) {
    for (DType dtype : *dtypes) TINYTF_RETURN_IF_ERROR(check_type(node, def, dtype));
  }
  const std::string* text = std::get_if<std::string>(&value);
  if (text && !def.allowed_strings.empty() &&
      std::find(def.allowed_strings.begin(), def.allowed_strings.end(), *text) == def.allowed_strings.end()) {
    return invalid_argument(
        "Value for attr '", def.name, "' of \"", *text, "\" is not in the list of allowed values: ",
        str_join(def.allowed_strings, ", ", [](const std::string& s) { return str_cat("\"", s, "\""); }),
        "\n\t; NodeDef: {{node ", node.name, "}}; ", op_summary(*node.op));
  }
  if (def.minimum) {
    const int64_t size = def.is_list
                             ? static_cast<int64_t>(list_length(value))
                             : (std::holds_alternative<int64_t>(value) ? std::get<int64_t>(value) : *def.minimum);
    if (size < *def.minimum) {
      return invalid_argument(def.is_list ? "Length for attr '" : "Value for attr '", def.name, "' of ", size,
                              " must be at least minimum ", *def.minimum, "\n\t; NodeDef: {{node ", node.name, "}}; ",
                              op_summary(*node.op));
    }
  }
  return Status();
}

Status mismatch(const NodeInfo& node, size_t position, const std::string& expected, ArgType got) {
  return invalid_argument("Input ", position, " of node ", node.name, " was passed ", dtype_name(got.dtype),
                          got.is_ref ? "_ref" : "", " incompatible with expected ", expected, ".");
}

/// Matches the declared inputs with the given ones: infers missing type and number attrs and checks the others.
Status match_inputs(NodeInfo& node, const std::vector<int>& group_sizes) {
  size_t next = 0;
  for (size_t a = 0; a < node.op->inputs.size(); ++a) {
    const ArgDef& arg = node.op->inputs[a];
    size_t count = 1;
    if (!arg.number_attr.empty()) {
      if (const int64_t* n = node.attrs.get<int64_t>(arg.number_attr)) {
        TINYTF_RETURN_IF_ERROR(check_attr(node, *node.op->find_attr(arg.number_attr), *n));
        count = static_cast<size_t>(*n);
      } else if (a < group_sizes.size()) {
        count = static_cast<size_t>(group_sizes[a]);
        node.attrs.set(arg.number_attr, static_cast<int64_t>(count));
      } else {
        return invalid_argument("NodeDef missing attr '", arg.number_attr, "' from ", op_summary(*node.op));
      }
    } else if (!arg.type_list_attr.empty()) {
      if (const auto* types = node.attrs.get<std::vector<DType>>(arg.type_list_attr)) {
        count = types->size();
      } else if (a < group_sizes.size()) {
        count = static_cast<size_t>(group_sizes[a]);
        std::vector<DType> types;
        for (size_t i = next; i < std::min(next + count, node.inputs.size()); ++i)
          types.push_back(node.inputs[i].dtype);
        node.attrs.set(arg.type_list_attr, std::move(types));
      } else {
        return invalid_argument("NodeDef missing attr '", arg.type_list_attr, "' from ", op_summary(*node.op));
      }
    }
    if (count > node.inputs.size() - next) {  // also true if the attr is negative
      return invalid_argument("Not enough inputs for node ", node.name, ": Op<name=", node.op->name,
                              "> takes more than ", node.inputs.size());
    }
    if (!arg.type_attr.empty() && node.attrs.find(arg.type_attr) == nullptr && count > 0) {
      node.attrs.set(arg.type_attr, node.inputs[next].dtype);
    }
    const auto* list = arg.type_list_attr.empty() ? nullptr : node.attrs.get<std::vector<DType>>(arg.type_list_attr);
    const DType* single = arg.type_attr.empty() ? &arg.type : node.attrs.get<DType>(arg.type_attr);
    for (size_t i = 0; i < count; ++i, ++next) {
      const ArgType got = node.inputs[next];
      const DType expected = list ? (*list)[i] : (single ? *single : got.dtype);
      if (got.dtype != expected || (arg.is_ref && !got.is_ref)) {
        return mismatch(node, next, str_cat(dtype_name(expected), arg.is_ref ? "_ref" : ""), got);
      }
    }
  }
  if (next != node.inputs.size()) {
    return invalid_argument("NodeDef expected inputs '", next, "' do not match ", node.inputs.size(),
                            " inputs specified; ", op_summary(*node.op), "; NodeDef: {{node ", node.name, "}}");
  }
  return Status();
}

Status derive_outputs(NodeInfo& node) {
  for (const ArgDef& arg : node.op->outputs) {
    if (!arg.type_list_attr.empty()) {
      for (DType dtype : *node.attrs.get<std::vector<DType>>(arg.type_list_attr))
        node.outputs.push_back({dtype, arg.is_ref});
      continue;
    }
    const DType dtype = arg.type_attr.empty() ? arg.type : *node.attrs.get<DType>(arg.type_attr);
    const int64_t count = arg.number_attr.empty() ? 1 : *node.attrs.get<int64_t>(arg.number_attr);
    if (count > kMaxOutputs) {
      TINYTF_RETURN_IF_ERROR(check_int32_attr(arg.number_attr, count));
      return invalid_argument("Attr ", arg.number_attr, " of node ", node.name, " has value ", count,
                              ", but no node may have more than ", kMaxOutputs, " outputs; Op<name=", node.op->name,
                              ">; NodeDef: {{node ", node.name, "}}");
    }
    for (int64_t i = 0; i < count; ++i) node.outputs.push_back({dtype, arg.is_ref});
  }
  return Status();
}

}  // namespace

Status check_int32_attr(std::string_view name, int64_t value) {
  if (value >= std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max()) return Status();
  return invalid_argument("Attr ", name, " has value ", value, " out of range for an int32");
}

Status complete_node(NodeInfo& node, const std::vector<int>& group_sizes) {
  TINYTF_RETURN_IF_ERROR(match_inputs(node, group_sizes));
  for (const AttrDef& def : node.op->attrs) {
    if (const AttrValue* value = node.attrs.find(def.name)) {
      TINYTF_RETURN_IF_ERROR(check_attr(node, def, *value));
    } else if (def.default_value) {
      node.attrs.set(def.name, *def.default_value);
    } else {
      return invalid_argument("NodeDef missing attr '", def.name, "' from ", op_summary(*node.op), "; NodeDef: {{node ",
                              node.name, "}}");
    }
  }
  for (const auto& [name, value] : node.attrs) {
    if (name[0] != '_' && node.op->find_attr(name) == nullptr) {
      return invalid_argument("NodeDef mentions attr '", name, "' not in ", op_summary(*node.op), "; NodeDef: {{node ",
                              node.name, "}}");
    }
  }
  return derive_outputs(node);
}

bool takes_reference(const NodeInfo& node, size_t input) {
  const auto& declared = node.op->inputs;
  if (std::none_of(declared.begin(), declared.end(), [](const ArgDef& arg) { return arg.is_ref; })) return false;
  size_t next = 0;
  for (const ArgDef& arg : declared) {
    size_t count = 1;
    if (!arg.number_attr.empty()) count = static_cast<size_t>(*node.attrs.get<int64_t>(arg.number_attr));
    if (!arg.type_list_attr.empty()) count = node.attrs.get<std::vector<DType>>(arg.type_list_attr)->size();
    if (input < next + count) return arg.is_ref;
    next += count;
  }
  return false;
}

}  // namespace tinytf
