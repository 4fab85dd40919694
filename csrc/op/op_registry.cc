#include "op/op_registry.h"

#include "op/all_ops.h"
#include "op/kernel_registry.h"
#include "op/variant_forms.h"

namespace tinytf {

namespace {

struct Registries {
  OpRegistry ops;
  KernelRegistry kernels;
  VariantForms forms;
  Registries() { register_all_ops(ops, kernels, forms); }
};

const Registries& registries() {
  static const Registries* registries =
      new Registries;  // leaked: nodes may refer to op declarations until the process ends
  return *registries;
}

}  // namespace

const OpRegistry& OpRegistry::global() { return registries().ops; }
const KernelRegistry& KernelRegistry::global() { return registries().kernels; }
const VariantForms& VariantForms::global() { return registries().forms; }

const OpDef* OpRegistry::find(std::string_view name) const {
  const OpDef* op = find_for_pass(name);
  return op == nullptr || op->is_internal ? nullptr : op;
}

const OpDef* OpRegistry::find_for_pass(std::string_view name) const {
  auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

OpDefBuilder OpRegistry::op(std::string_view name) {
  TINYTF_CHECK(by_name_.count(name) == 0);
  OpDef& def = defs_.emplace_back();
  def.name = std::string(name);
  def.family = family_;
  by_name_.emplace(def.name, &def);
  return OpDefBuilder(&def);
}

}  // namespace tinytf
