#include "graph/import_attrs.h"

#include <algorithm>

#include "graph/attr_proto.h"
#include "graph/colocation.h"
#include "op/compact_constant.h"
#include "op/op_summary.h"

namespace tinytf {

namespace {

constexpr std::string_view kOutputShapes = "_output_shapes";
// First GraphDef version that distinguishes scalar shapes from unknown shapes in placeholders.
constexpr int32_t kFirstWithScalarPlaceholders = 22;

/// The kind that an attr must have; nullopt if any kind is allowed.
struct Wanted {
  AttrKind kind;
  bool is_list;
  std::string text;
};

std::optional<Wanted> wanted_kind(const AttrDef* declared, std::string_view name) {
  if (declared != nullptr) return Wanted{declared->kind, declared->is_list, declared->kind_text()};
  if (name == kClassAttr) return Wanted{AttrKind::kString, true, "list(string)"};
  if (name == kOutputShapes) return Wanted{AttrKind::kShape, true, "list(shape)"};
  return std::nullopt;
}

Status check_kind(const OpDef& op, const Wanted& wanted, const AttrContent& content, std::string_view attr,
                  const std::string& name) {
  const std::string found = content.kind();
  if (found == wanted.text || (wanted.is_list && found == "list")) return Status();
  const std::string where = str_cat("\n\t for attr '", attr, "'\n\t; NodeDef: {{node ", name, "}}; ", op_summary(op));
  if (found.empty()) return invalid_argument("AttrValue missing value with expected type '", wanted.text, "'", where);
  return invalid_argument("AttrValue had value with type '", found, "' when '", wanted.text, "' expected", where);
}

Status no_sense(std::string_view op, std::string_view attr, const std::string& name, std::string_view reason) {
  return invalid_argument("Node '", name, "': attr '", attr, "' has a value that ", op, " cannot take: ", reason,
                          "; NodeDef: {{node ", name, "}}");
}

Result<AttrValue> read_value(const OpDef& op, const AttrDef* declared, const NodeDefView::Attr& attr,
                             const std::string& name) {
  auto content = read_attr_content(attr.value);
  if (!content.ok()) return no_sense(op.name, attr.name, name, content.status().message());
  const auto wanted = wanted_kind(declared, attr.name);
  if (wanted) TINYTF_RETURN_IF_ERROR(check_kind(op, *wanted, content.value(), attr.name, name));
  auto value = wanted ? read_attr(content.value(), wanted->kind, wanted->is_list) : read_attr(content.value());
  if (!value.ok()) return no_sense(op.name, attr.name, name, value.status().message());
  if (attr.name == kClassAttr) {
    for (const std::string& group : std::get<std::vector<std::string>>(value.value())) {
      if (!is_utf8(group)) return no_sense(op.name, attr.name, name, "it is not UTF-8");
    }
  }
  return value;
}

Status check_complete(const OpDef& op, const AttrMap& attrs, const std::string& name) {
  std::vector<std::string> missing;
  for (auto def = op.attrs.rbegin(); def != op.attrs.rend(); ++def) {
    if (!def->default_value && attrs.find(def->name) == nullptr) missing.push_back(str_cat("'", def->name, "'"));
  }
  if (missing.empty()) return Status();
  return invalid_argument("NodeDef missing attr", missing.size() > 1 ? "s" : "", " ",
                          str_join(missing, ", ", [](const std::string& text) { return text; }), " from ",
                          op_summary(op), "; NodeDef: {{node ", name, "}}");
}

}  // namespace

Result<ImportedAttrs> AttrImporter::read(const OpDef& op, const NodeDefView& node, const std::string& name,
                                         const AttrValue* value_beside) {
  ImportedAttrs found;
  for (const NodeDefView::Attr& attr : node.attrs) {
    const AttrDef* declared = op.find_attr(attr.name);
    if (declared == nullptr && attr.name.substr(0, 1) != "_") {
      TINYTF_RETURN_IF_ERROR(check_undeclared(op, attr, name));
      continue;
    }
    TINYTF_ASSIGN_OR_RETURN(AttrValue value, read_value(op, declared, attr, name));
    if (attr.name == kOutputShapes) {
      found.output_shapes = std::move(std::get<std::vector<PartialShape>>(value));
    } else {
      found.attrs.set(attr.name, std::move(value));
    }
  }
  if (value_beside != nullptr) found.attrs.set("value", *value_beside);
  TINYTF_RETURN_IF_ERROR(check_complete(op, found.attrs, name));
  if (op.name == "Placeholder" && producer_ < kFirstWithScalarPlaceholders) {
    const auto* shape = found.attrs.get<PartialShape>("shape");
    if (shape != nullptr && *shape == PartialShape::scalar()) found.attrs.set("shape", PartialShape());
  }
  return found;
}

Result<ImportedAttrs> AttrImporter::read_unknown(const NodeDefView& node, const std::string& name) {
  OpDef op;
  op.name = node.op;
  ImportedAttrs found;
  for (const NodeDefView::Attr& attr : node.attrs) {
    if (attr.name == kClassAttr || attr.name == kOutputShapes) {
      TINYTF_ASSIGN_OR_RETURN(AttrValue value, read_value(op, nullptr, attr, name));
      if (attr.name == kOutputShapes) found.output_shapes = std::get<std::vector<PartialShape>>(value);
      found.attrs.set(attr.name, std::move(value));
      continue;
    }
    const auto content = read_attr_content(attr.value);
    if (!content.ok()) return no_sense(op.name, attr.name, name, content.status().message());
    found.written.emplace(attr.name, attr.value);
    auto value = read_attr(content.value());
    if (!value.ok() || std::holds_alternative<std::monostate>(value.value()) || CompactConstant::of(value.value())) {
      continue;  // Only the bytes are kept.
    }
    found.attrs.set(attr.name, value.take());
  }
  return found;
}

Status AttrImporter::check_undeclared(const OpDef& op, const NodeDefView::Attr& attr, const std::string& name) {
  if (op.has(Trait::kFunction)) {  // A function's nodes have only the attrs of its signature.
    return invalid_argument("NodeDef mentions attr '", attr.name, "' not in ", op_summary(op), "; NodeDef: {{node ",
                            name, "}}. (Check whether your GraphDef-interpreting binary is up to date with your ",
                            "GraphDef-generating binary.).");
  }
  std::string key = str_cat(op.name, std::string_view("\0", 1), attr.name, std::string_view("\0", 1), attr.value);
  if (left_out_.count(key) != 0) return Status();
  TINYTF_RETURN_IF_ERROR(undeclared_(op, attr.name, attr.value, name));
  left_out_.insert(std::move(key));
  return Status();
}

}  // namespace tinytf
