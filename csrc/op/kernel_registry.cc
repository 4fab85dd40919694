#include "op/kernel_registry.h"

#include <algorithm>

namespace tinytf {

namespace {

bool matches(const KernelDef& def, const NodeInfo& node) {
  for (const auto& [attr, types] : def.constraints) {
    const auto allowed = [&types = types](DType dtype) {
      return std::find(types.begin(), types.end(), dtype) != types.end();
    };
    if (const DType* dtype = node.attrs.get<DType>(attr)) {
      if (!allowed(*dtype)) return false;
    } else if (const auto* list = node.attrs.get<std::vector<DType>>(attr)) {
      if (!std::all_of(list->begin(), list->end(), allowed)) return false;
    } else {
      return false;
    }
  }
  return true;
}

std::string describe(const KernelDef& def) {
  std::string text = "device='CPU'";
  for (const auto& [attr, types] : def.constraints) {
    text +=
        str_cat("; ", attr, " in [", str_join(types, ", ", [](DType t) { return attr_to_string(AttrValue(t)); }), "]");
  }
  return text + "\n";
}

}  // namespace

KernelRegistry::Builder KernelRegistry::add(std::string_view op, KernelDef::Factory factory) {
  auto& defs = by_op_[std::string(op)];
  defs.push_back({std::string(op), {}, std::move(factory), {}});
  return Builder(&defs.back());
}

const std::vector<KernelDef>* KernelRegistry::find(std::string_view op) const {
  auto found = by_op_.find(std::string(op));
  return found == by_op_.end() ? nullptr : &found->second;
}

const KernelDef* KernelRegistry::match(const NodeInfo& node) const {
  const auto* defs = find(node.op->name);
  if (defs == nullptr) return nullptr;
  const auto found = std::find_if(defs->begin(), defs->end(), [&](const KernelDef& def) { return matches(def, node); });
  return found == defs->end() ? nullptr : &*found;
}

ElementwiseLoop KernelRegistry::loop_of(const NodeInfo& node) const {
  const KernelDef* def = match(node);
  if (def == nullptr || (def->runs_loop != nullptr && !def->runs_loop(node))) return {};
  return def->loop;
}

Result<std::unique_ptr<Kernel>> KernelRegistry::create(const NodeInfo& node) const {
  if (const KernelDef* def = match(node)) {
    KernelInit init(node);
    std::unique_ptr<Kernel> kernel = def->factory(init);
    TINYTF_RETURN_IF_ERROR(init.status());
    return kernel;
  }
  std::string registered;
  if (const auto* defs = find(node.op->name)) {
    for (const KernelDef& def : *defs) registered += str_cat("  ", describe(def));
  }
  std::string attrs = str_join(node.attrs, ", ", [](const AttrMap::Item& item) {
    return str_cat(item.first, "=", attr_to_string(item.second));
  });
  return invalid_argument("No OpKernel was registered to support Op '", node.op->name, "' used by {{node ", node.name,
                          "}}with these attrs: [", attrs, "]\nRegistered devices: [CPU]\nRegistered kernels:\n",
                          registered.empty() ? "  <no registered kernels>\n" : registered);
}

}  // namespace tinytf
