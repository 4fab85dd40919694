#include <algorithm>

#include "op/kernel_registry.h"
#include "op/op_registry.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

/// Sets attrs without a default to a simple value. False if there is none for a kind.
bool fill_attrs(NodeInfo& node) {
  for (const AttrDef& def : node.op->attrs) {
    if (def.default_value || node.attrs.find(def.name)) continue;
    if (def.is_list || !def.allowed_strings.empty()) return false;
    switch (def.kind) {
      case AttrKind::kInt: node.attrs.set(def.name, std::max<int64_t>(def.minimum.value_or(2), 2)); break;
      case AttrKind::kBool: node.attrs.set(def.name, false); break;
      case AttrKind::kType:
        node.attrs.set(def.name, def.allowed_types.empty() ? DType::kFloat : def.allowed_types.front());
        break;
      case AttrKind::kShape: node.attrs.set(def.name, PartialShape({2, 2})); break;
      default: return false;
    }
  }
  return true;
}

/// Adds inputs with the types of the attrs. False for type lists.
bool fill_inputs(NodeInfo& node) {
  const auto value_of = [&node](const std::string& attr) -> AttrValue {
    if (const AttrValue* value = node.attrs.find(attr)) return *value;
    return *node.op->find_attr(attr)->default_value;
  };
  for (const ArgDef& arg : node.op->inputs) {
    if (!arg.type_list_attr.empty()) return false;
    const DType dtype = arg.type_attr.empty() ? arg.type : std::get<DType>(value_of(arg.type_attr));
    const int64_t count = arg.number_attr.empty() ? 1 : std::get<int64_t>(value_of(arg.number_attr));
    for (int64_t i = 0; i < count; ++i) node.inputs.push_back({dtype, arg.is_ref});
  }
  return true;
}

/// Makes the kernel of a node with these type attrs, if the op is simple enough to build a node.
void expect_kernel(const OpDef& op, const std::vector<std::pair<std::string, DType>>& types) {
  NodeInfo node;
  node.name = "node";
  node.op = &op;
  std::string description = op.name;
  for (const auto& [attr, dtype] : types) {
    node.attrs.set(attr, dtype);
    description += str_cat(" ", attr, "=", dtype_name(dtype));
  }
  if (!fill_attrs(node) || !fill_inputs(node)) return;
  const Status valid = complete_node(node, {});
  if (!valid.ok()) return;  // a kernel may allow types that the declaration does not
  const Status made = KernelRegistry::global().create(node).status();
  if (!made.ok()) testing::fail(__FILE__, __LINE__, str_cat(description, ": ", made.message()));
}

// Fails for a kernel registered for a type without an implementation.
TINYTF_TEST(every_registered_kernel_can_be_made) {
  for (const OpDef& op : OpRegistry::global().all()) {
    const auto* defs = KernelRegistry::global().find(op.name);
    if (defs == nullptr) continue;
    for (const KernelDef& def : *defs) {
      std::vector<std::pair<std::string, DType>> types;
      for (const auto& [attr, allowed] : def.constraints) types.emplace_back(attr, allowed.front());
      if (types.empty()) expect_kernel(op, types);
      for (size_t i = 0; i < def.constraints.size(); ++i) {
        auto varied = types;
        for (DType dtype : def.constraints[i].second) {
          varied[i].second = dtype;
          expect_kernel(op, varied);
        }
      }
    }
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
