#include "op/op_summary.h"

#include <cstdio>

namespace tinytf {

namespace {

std::string arg_text(const ArgDef& arg) {
  std::string text = arg.type != DType::kInvalid ? type_text(arg.type, false) : arg.type_attr;  // "" for lists of types
  if (!arg.number_attr.empty()) text = str_cat(arg.number_attr, "*", text);
  return arg.is_ref ? str_cat(arg.name, ":Ref(", text, ")") : str_cat(arg.name, ":", text);
}

std::string float_text(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.8g", static_cast<double>(value));
  return text;
}

std::string value_text(const AttrValue& value) {
  if (const float* number = std::get_if<float>(&value)) return float_text(*number);
  if (const auto* numbers = std::get_if<std::vector<float>>(&value)) {
    return str_cat("[", str_join(*numbers, ", ", float_text), "]");
  }
  return attr_to_string(value);
}

/// Formats a list of dtypes; of a long list, only both ends.
std::string types_text(const std::vector<DType>& types) {
  constexpr size_t kMost = 15, kEnds = 5;
  std::vector<std::string> names;
  for (const DType type : types) names.push_back(attr_to_string(type));
  if (names.size() >= kMost) {
    names[kEnds] = "...";
    names.erase(names.begin() + kEnds + 1, names.end() - kEnds);
  }
  return str_cat("[", str_join(names, ", ", [](const std::string& name) { return name; }), "]");
}

std::string attr_text(const AttrDef& attr) {
  std::string text = str_cat("attr=", attr.name, ":", attr.kind_text());
  if (attr.default_value) text += str_cat(",default=", value_text(*attr.default_value));
  if (attr.minimum) text += str_cat(",min=", *attr.minimum);
  if (!attr.allowed_types.empty()) {
    text += str_cat(",allowed=", types_text(attr.allowed_types));
  } else if (!attr.allowed_strings.empty()) {
    text += str_cat(",allowed=", value_text(attr.allowed_strings));
  }
  return text;
}

}  // namespace

std::string type_text(DType dtype, bool is_ref) { return str_cat(dtype_name(dtype), is_ref ? "_ref" : ""); }

std::string op_summary(const OpDef& op) {
  std::string text = str_cat("Op<name=", op.name, "; signature=", str_join(op.inputs, ", ", arg_text), " -> ",
                             str_join(op.outputs, ", ", arg_text));
  for (const AttrDef& attr : op.attrs) text += str_cat("; ", attr_text(attr));
  if (op.is_commutative) text += "; is_commutative=true";
  if (op.is_aggregate) text += "; is_aggregate=true";
  if (op.is_stateful) text += "; is_stateful=true";
  if (op.allows_uninitialized_input) text += "; allows_uninitialized_input=true";
  return text + ">";
}

}  // namespace tinytf
