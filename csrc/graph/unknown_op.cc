#include "graph/unknown_op.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/str_cat.h"
#include "graph/arg_ranges.h"
#include "graph/attr_proto.h"

namespace tinytf {

namespace {

constexpr std::string_view kFamily = "unknown";  // Marks declarations that were made here.

// Attrs that commonly name the dtypes of outputs, in order of precedence.
constexpr std::array<std::string_view, 4> kTypeLists = {"Tout", "output_types", "component_types", "out_types"};
constexpr std::array<std::string_view, 6> kSingleTypes = {"Tout", "dtype", "out_type", "output_type", "DstT", "T"};

/// The value of an attr, if the node has it with that kind.
template <class T>
std::optional<T> attr_value_of(const NodeDefView& node, std::string_view name, AttrKind kind, bool is_list) {
  for (const NodeDefView::Attr& attr : node.attrs) {
    if (attr.name != name) continue;
    const auto content = read_attr_content(attr.value);
    const AttrContent::Field wanted = is_list ? AttrContent::kList : AttrContent::kType;
    if (!content.ok() || content.value().field != wanted) return std::nullopt;
    auto value = read_attr(content.value(), kind, is_list);
    if (value.ok()) return std::get<T>(value.take());
  }
  return std::nullopt;
}

/// The attrs that an op declares, from the node or by default. Attrs of the node that cannot be parsed as declared are
/// ignored.
AttrMap declared_attrs(const NodeDefView& node, const OpDef& op) {
  AttrMap attrs;
  for (const AttrDef& def : op.attrs) {
    if (def.default_value) attrs.set(def.name, *def.default_value);
  }
  for (const NodeDefView::Attr& attr : node.attrs) {
    const AttrDef* def = op.find_attr(attr.name);
    const auto content = read_attr_content(attr.value);
    if (def == nullptr || !content.ok()) continue;
    auto value = read_attr(content.value(), def->kind, def->is_list);
    if (value.ok()) attrs.set(attr.name, value.take());
  }
  return attrs;
}

/// The declaration of an attr, from its value.
AttrDef attr_def(const AttrMap::Item& attr) {
  constexpr size_t kKinds = static_cast<size_t>(AttrKind::kFunc) + 1;
  AttrDef def;
  def.name = attr.first;
  // AttrValue lists: none, the single kinds in order, then the list kinds.
  const size_t kind = attr.second.index() - 1;
  def.kind = static_cast<AttrKind>(kind % kKinds);
  def.is_list = kind >= kKinds;
  return def;
}

/// The output types; nullopt if the attrs do not determine them.
std::optional<std::vector<ArgType>> types_by_attr(const NodeDefView& node, const OpDef& op) {
  const AttrMap attrs = declared_attrs(node, op);
  std::vector<ArgType> outputs;
  for (const ArgDef& arg : op.outputs) {
    const auto types = types_of(arg, attrs);
    if (!types.ok()) return std::nullopt;
    for (const DType type : types.value()) {
      if (!dtype_of_number(static_cast<int64_t>(type))) return std::nullopt;
      outputs.push_back({type, arg.is_ref});
    }
  }
  return outputs;
}

}  // namespace

std::vector<ArgType> unknown_output_types(const NodeDefView& node, const OpDef* producers,
                                          const UnknownOutputs& known) {
  if (producers != nullptr) {
    if (auto types = types_by_attr(node, *producers)) return *std::move(types);
  }
  std::vector<DType> listed;
  for (const std::string_view name : kTypeLists) {
    if (!listed.empty()) break;
    listed = attr_value_of<std::vector<DType>>(node, name, AttrKind::kType, true).value_or(std::vector<DType>());
  }
  DType single = DType::kInvalid;
  for (const std::string_view name : kSingleTypes) {
    if (single != DType::kInvalid) break;
    single = attr_value_of<DType>(node, name, AttrKind::kType, false).value_or(DType::kInvalid);
  }
  const int64_t count = std::max(known.count, static_cast<int64_t>(listed.size()));
  std::vector<ArgType> outputs;
  for (int64_t i = 0; i < count; ++i) {
    const auto expected = known.types.find(i);
    if (expected != known.types.end()) {
      outputs.push_back(expected->second);
    } else if (i < static_cast<int64_t>(listed.size())) {
      outputs.push_back({listed[static_cast<size_t>(i)], false});
    } else {
      outputs.push_back({single != DType::kInvalid ? single : DType::kVariant, false});
    }
  }
  return outputs;
}

OpDef declare_unknown_op(std::string_view name, const std::vector<ArgType>& inputs, const std::vector<ArgType>& outputs,
                         const AttrMap& attrs) {
  const auto args = [](const char* prefix, const std::vector<ArgType>& types, bool keeps_references) {
    std::vector<ArgDef> args(types.size());
    for (size_t i = 0; i < types.size(); ++i) {
      args[i].name = str_cat(prefix, i);
      args[i].type = types[i].dtype;
      args[i].is_ref = keeps_references && types[i].is_ref;
    }
    return args;
  };
  OpDef op;
  op.name = name;
  op.inputs = args("input", inputs, false);
  op.outputs = args("output", outputs, true);
  for (const AttrMap::Item& attr : attrs) {
    if (attr.first.substr(0, 1) != "_") op.attrs.push_back(attr_def(attr));
  }
  op.family = kFamily;
  op.is_stateful = true;
  op.gradient = GradientKind::kNone;
  return op;
}

bool is_unknown_op(const OpDef& op) { return op.family == kFamily; }

}  // namespace tinytf
