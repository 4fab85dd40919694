#include "graph/function_library.h"

#include <algorithm>
#include <deque>

#include "graph/function_body.h"
#include "graph/graph_def_view.h"
#include "graph/op_def_proto.h"
#include "io/tensor_proto.h"
#include "op/common_shapes.h"
#include "op/op_registry.h"

namespace tinytf {

namespace {

Status damaged_library() { return invalid_argument("Invalid FunctionDef"); }

/// A map entry: a text key or a number key, and the bytes of the value.
struct Entry {
  std::string key;
  uint64_t number = 0;
  MergedBytes value;
};

Result<Entry> read_entry(std::string_view bytes) {
  Entry found;
  WireReader entry(bytes);
  while (entry.next()) {
    if (entry.is(MapEntryField::kKey, WireType::kBytes)) found.key = entry.text();
    if (entry.is(MapEntryField::kKey, WireType::kVarint)) found.number = entry.number() & UINT32_MAX;
    if (entry.is(MapEntryField::kValue, WireType::kBytes)) found.value.add(entry.bytes());
  }
  if (!entry.ok()) return damaged_library();
  return found;
}

Status add_attr(std::string_view bytes, AttrProtos& attrs) {
  TINYTF_ASSIGN_OR_RETURN(Entry entry, read_entry(bytes));
  attrs[std::move(entry.key)] = entry.value.view();
  return Status();
}

Status add_text(std::string_view bytes, std::map<std::string, std::string>& texts) {
  std::string key, value;
  WireReader entry(bytes);
  while (entry.next()) {
    if (entry.is(MapEntryField::kKey, WireType::kBytes)) key = entry.text();
    if (entry.is(MapEntryField::kValue, WireType::kBytes)) value = entry.text();
  }
  if (!entry.ok()) return damaged_library();
  texts[std::move(key)] = std::move(value);
  return Status();
}

Status add_arg_attrs(std::string_view bytes, std::map<uint64_t, AttrProtos>& all) {
  TINYTF_ASSIGN_OR_RETURN(const Entry entry, read_entry(bytes));
  AttrProtos attrs;
  WireReader fields(entry.value.view());
  while (fields.next()) {
    if (fields.is(ArgAttrsField::kAttr, WireType::kBytes)) TINYTF_RETURN_IF_ERROR(add_attr(fields.bytes(), attrs));
  }
  if (!fields.ok()) return damaged_library();
  all[entry.number] = std::move(attrs);
  return Status();
}

Status add_function_node(std::string_view bytes, std::vector<FunctionNode>& nodes) {
  std::deque<std::string> merged;
  TINYTF_ASSIGN_OR_RETURN(const NodeDefView view, read_node_def(bytes, merged));
  FunctionNode node{std::string(view.name), std::string(view.op), std::string(view.device), {}, {}};
  node.inputs.assign(view.inputs.begin(), view.inputs.end());
  for (const auto& attr : view.attrs) node.attrs.emplace(attr.name, attr.value);
  nodes.push_back(std::move(node));
  return Status();
}

/// The signature's bytes, including fields that are not parsed.
std::string signature_bytes(const FunctionDef& function) {
  MergedBytes signature;
  WireReader fields(function.bytes);
  while (fields.next()) {
    if (fields.is(FunctionDefField::kSignature, WireType::kBytes)) signature.add(fields.bytes());
  }
  return std::string(signature.view());
}

std::vector<FunctionNode> sorted_nodes(const FunctionDef& function) {
  std::vector<FunctionNode> nodes = function.nodes;
  std::stable_sort(nodes.begin(), nodes.end(), [](auto& a, auto& b) { return a.name < b.name; });
  return nodes;
}

/// Whether a node's attrs determine the dtypes of an argument.
bool is_typed(const OpDef& op, const ArgDef& arg) {
  const auto is_declared = [&](const std::string& name, AttrKind kind, bool is_list) {
    const AttrDef* def = op.find_attr(name);
    return def != nullptr && def->kind == kind && def->is_list == is_list;
  };
  if (!arg.type_list_attr.empty()) {
    return arg.number_attr.empty() && is_declared(arg.type_list_attr, AttrKind::kType, true);
  }
  if (!arg.number_attr.empty() && !is_declared(arg.number_attr, AttrKind::kInt, false)) return false;
  return arg.type_attr.empty() ? dtype_of_number(static_cast<int64_t>(arg.type)).has_value()
                               : is_declared(arg.type_attr, AttrKind::kType, false);
}

/// The declaration of nodes that call a function; null if no op can have its signature.
std::shared_ptr<const OpDef> op_of(const OpDef& signature) {
  auto op = std::make_shared<OpDef>(signature);
  // Nodes must give all attrs, and counts must not be negative, whatever the signature says.
  for (AttrDef& attr : op->attrs) {
    attr.default_value.reset();
    if (attr.kind == AttrKind::kInt && !attr.is_list) attr.minimum = std::max<int64_t>(attr.minimum.value_or(0), 0);
  }
  for (const auto* args : {&op->inputs, &op->outputs}) {
    for (const ArgDef& arg : *args) {
      if (!is_typed(*op, arg)) return nullptr;
    }
  }
  op->traits = uint32_t{1} << static_cast<int>(Trait::kFunction);
  op->shape_fn = shapes::unknown;
  op->may_block = true;
  return op;
}

}  // namespace

std::string text_of(const FuncRef& function) {
  std::string text = function.name;
  const AttrProtos attrs(function.attrs.begin(), function.attrs.end());
  for (const auto& [name, value] : attrs) text = str_cat(text, "\n", name.size(), " ", name, value.size(), " ", value);
  return text;
}

bool operator==(const FunctionNode& a, const FunctionNode& b) {
  return a.name == b.name && a.op == b.op && a.device == b.device && a.inputs == b.inputs && a.attrs == b.attrs;
}

Result<FunctionDef> read_function_def(std::string_view bytes) {
  FunctionDef function;
  MergedBytes signature;
  WireReader fields(bytes);
  while (fields.next()) {
    const std::string_view value = fields.bytes();
    if (fields.is(FunctionDefField::kSignature, WireType::kBytes)) signature.add(value);
    if (fields.is(FunctionDefField::kNodeDef, WireType::kBytes))
      TINYTF_RETURN_IF_ERROR(add_function_node(value, function.nodes));
    if (fields.is(FunctionDefField::kRet, WireType::kBytes)) TINYTF_RETURN_IF_ERROR(add_text(value, function.ret));
    if (fields.is(FunctionDefField::kControlRet, WireType::kBytes))
      TINYTF_RETURN_IF_ERROR(add_text(value, function.control_ret));
    if (fields.is(FunctionDefField::kAttr, WireType::kBytes)) TINYTF_RETURN_IF_ERROR(add_attr(value, function.attrs));
    if (fields.is(FunctionDefField::kArgAttr, WireType::kBytes))
      TINYTF_RETURN_IF_ERROR(add_arg_attrs(value, function.arg_attrs));
  }
  if (!fields.ok()) return damaged_library();
  TINYTF_ASSIGN_OR_RETURN(function.signature, read_op_def(signature.view()));
  function.op = op_of(function.signature);
  function.bytes = bytes;
  return function;
}

bool same_function(const FunctionDef& a, const FunctionDef& b) {
  if (a.bytes == b.bytes) return true;
  return signature_bytes(a) == signature_bytes(b) && a.attrs == b.attrs && a.arg_attrs == b.arg_attrs &&
         a.ret == b.ret && a.control_ret == b.control_ret && sorted_nodes(a) == sorted_nodes(b);
}

Result<FunctionLibrary> FunctionLibrary::read(std::string_view bytes) {
  FunctionLibrary library;
  WireReader fields(bytes);
  while (fields.next()) {
    if (fields.is(FunctionDefLibraryField::kFunction, WireType::kBytes)) {
      FunctionLibrary one;
      TINYTF_ASSIGN_OR_RETURN(FunctionDef function, read_function_def(fields.bytes()));
      one.order_.push_back(function.name());
      one.functions_.emplace(function.name(), std::move(function));
      TINYTF_RETURN_IF_ERROR(library.add(one));
    }
    if (!fields.is(FunctionDefLibraryField::kGradient, WireType::kBytes)) continue;
    std::string name, gradient;
    WireReader parts(fields.bytes());
    while (parts.next()) {
      if (parts.is(GradientDefField::kFunctionName, WireType::kBytes)) name = parts.text();
      if (parts.is(GradientDefField::kGradientFunc, WireType::kBytes)) gradient = parts.text();
    }
    if (!parts.ok()) return damaged_library();
    TINYTF_RETURN_IF_ERROR(library.check_gradient(name, gradient));
    library.gradients_.emplace(std::move(name), std::move(gradient));
  }
  if (!fields.ok()) return damaged_library();
  for (const auto& [name, gradient] : library.gradients_) TINYTF_RETURN_IF_ERROR(library.check_known(name, gradient));
  return library;
}

namespace {

Status not_an_op(const std::string& name) {
  if (OpRegistry::global().find(name) == nullptr) return Status();
  return invalid_argument("Cannot add function '", name, "' because an op with the same name already exists.");
}

Status another_exists(const std::string& name) {
  return invalid_argument("Cannot add function '", name,
                          "' because a different function with the same name already exists.");
}

}  // namespace

Status FunctionLibrary::check(const FunctionDef& function) const {
  const std::string& name = function.name();
  TINYTF_RETURN_IF_ERROR(not_an_op(name));
  if (body(name) != nullptr) return another_exists(name);
  const FunctionDef* known = find(name);
  return known == nullptr || same_function(*known, function) ? Status() : another_exists(name);
}

Status FunctionLibrary::check(const std::string& name, const std::shared_ptr<const FunctionBody>& body) const {
  TINYTF_RETURN_IF_ERROR(not_an_op(name));
  const auto known = this->body(name);
  return find(name) == nullptr && (known == nullptr || *known == *body) ? Status() : another_exists(name);
}

Status FunctionLibrary::check_gradient(const std::string& name, const std::string& gradient) const {
  const std::string_view known = gradient_of(name);
  if (known.empty() || known == gradient) return Status();
  return invalid_argument("Cannot assign gradient function '", gradient, "' to '", name,
                          "' because it already has gradient function '", known, "'");
}

Status FunctionLibrary::check_known(const std::string& name, const std::string& gradient) const {
  for (const std::string& wanted : {name, gradient}) {
    if (find(wanted) == nullptr) return invalid_argument("FunctionDefLibrary missing '", wanted, "' FunctionDef");
  }
  return Status();
}

Status FunctionLibrary::add(const FunctionLibrary& others) {
  for (const auto& [name, function] : others.functions_) TINYTF_RETURN_IF_ERROR(check(function));
  for (const auto& [name, body] : others.bodies_) TINYTF_RETURN_IF_ERROR(check(name, body));
  for (const auto& [name, gradient] : others.gradients_) TINYTF_RETURN_IF_ERROR(check_gradient(name, gradient));
  for (const std::string& name : others.order_) {
    const FunctionDef* function = others.find(name);
    const bool is_new = function != nullptr ? functions_.emplace(name, *function).second
                                            : bodies_.emplace(name, others.body(name)).second;
    if (is_new) order_.push_back(name);
  }
  gradients_.insert(others.gradients_.begin(), others.gradients_.end());
  derived_.insert(others.derived_.begin(), others.derived_.end());
  return Status();
}

Status FunctionLibrary::add(const std::string& name, std::shared_ptr<const FunctionBody> body) {
  TINYTF_RETURN_IF_ERROR(check(name, body));
  if (bodies_.emplace(name, std::move(body)).second) order_.push_back(name);
  return Status();
}

bool FunctionLibrary::take(const FuncRef& function, const FunctionLibrary& others) {
  const std::string& name = function.name;
  bool is_more = false;
  if (find(name) == nullptr && body(name) == nullptr) {
    if (const FunctionDef* definition = others.find(name)) is_more = functions_.emplace(name, *definition).second;
    if (auto body = others.body(name)) is_more = bodies_.emplace(name, std::move(body)).second;
    if (is_more) order_.push_back(name);
  }
  if (const std::string_view gradient = others.gradient_of(name); !gradient.empty()) {
    is_more |= gradients_.emplace(name, gradient).second;
  }
  if (const Derived* derived = others.derived(function))
    is_more |= derived_.emplace(text_of(function), *derived).second;
  return is_more;
}

std::set<Graph*> FunctionLibrary::graphs() const {
  std::set<Graph*> graphs;
  for (const auto& [name, body] : bodies_) graphs.insert(body->graph.get());
  for (const auto& [text, derived] : derived_) {
    if (derived.body != nullptr) graphs.insert(derived.body->graph.get());
  }
  return graphs;
}

std::shared_ptr<const FunctionBody> FunctionLibrary::body(std::string_view name) const {
  const auto found = bodies_.find(name);
  return found == bodies_.end() ? nullptr : found->second;
}

const FunctionDef* FunctionLibrary::find(std::string_view name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : &found->second;
}

const OpDef* FunctionLibrary::op(std::string_view name) const {
  const FunctionDef* function = find(name);
  return function == nullptr ? nullptr : function->op.get();
}

const FunctionLibrary::Derived* FunctionLibrary::derived(const FuncRef& function) const {
  const auto found = derived_.find(text_of(function));
  return found == derived_.end() ? nullptr : &found->second;
}

void FunctionLibrary::add_derived(const FuncRef& function, Derived derived) {
  derived_.emplace(text_of(function), std::move(derived));
}

Status FunctionLibrary::set_gradient(const std::string& name, const std::string& gradient) {
  TINYTF_RETURN_IF_ERROR(check_known(name, gradient));
  TINYTF_RETURN_IF_ERROR(check_gradient(name, gradient));
  gradients_.emplace(name, gradient);
  return Status();
}

std::string_view FunctionLibrary::gradient_of(std::string_view name) const {
  const auto found = gradients_.find(name);
  return found == gradients_.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace tinytf
