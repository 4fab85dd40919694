#include "data/rewrite_site.h"

#include <algorithm>
#include <utility>

#include "op/function_runner.h"
#include "op/kernel_registry.h"
#include "op/op_registry.h"

namespace tinytf::data {

namespace {

/// Finds the functions of an origin. It runs none, as no dataset's kernel does.
class OriginFunctions final : public FunctionRunner {
 public:
  explicit OriginFunctions(const DatasetOrigin& origin) {
    const std::vector<const FuncRef*> named = functions_named_by(*origin.node);
    for (size_t i = 0; i < std::min(named.size(), origin.functions.size()); ++i) {
      sources_.emplace_back(*named[i], origin.functions[i]);
    }
  }

  Result<RefPtr<FunctionInstance>> instantiate(const FuncRef& function, const KernelServices& step,
                                               FunctionOwner /*owner*/) override {
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<FunctionSource> found, source(function));
    return found->instantiate(step);
  }
  Result<RefPtr<FunctionSource>> source(const FuncRef& function) override {
    for (const auto& [known, source] : sources_) {
      if (known == function) return source;
    }
    return not_found("Function ", function.name, " is not defined.");
  }

 private:
  std::vector<std::pair<FuncRef, RefPtr<FunctionSource>>> sources_;
};

}  // namespace

std::vector<const FuncRef*> functions_named_by(const NodeInfo& node) {
  std::vector<const FuncRef*> named;
  for (const auto& [name, value] : node.attrs) {
    if (const auto* function = std::get_if<FuncRef>(&value)) named.push_back(function);
    if (const auto* functions = std::get_if<std::vector<FuncRef>>(&value)) {
      for (const FuncRef& one : *functions) named.push_back(&one);
    }
  }
  return named;
}

Result<RefPtr<const Dataset>> make_dataset(const KernelServices& step, const DatasetOrigin& origin,
                                           const Dataset& replaced) {
  TINYTF_ASSIGN_OR_RETURN(const std::unique_ptr<Kernel> kernel, KernelRegistry::global().create(*origin.node));
  OriginFunctions functions(origin);
  KernelServices services = step;
  services.functions = &functions;
  std::vector<Slot> slots(origin.inputs.size());
  std::vector<int32_t> places(origin.inputs.size());
  for (size_t i = 0; i < slots.size(); ++i) {
    slots[i].tensor = origin.inputs[i];
    places[i] = static_cast<int32_t>(i);
  }
  Slot made;
  KernelContext ctx(*origin.node, services, slots.data(), places.data(), &made, 0);
  TINYTF_RETURN_IF_ERROR(kernel->compute(ctx));
  TINYTF_ASSIGN_OR_RETURN(const Dataset* dataset, dataset_of(made.tensor));
  dataset->set_site(replaced.site());
  return RefPtr<const Dataset>::share(dataset);
}

Result<RefPtr<const Dataset>> make_dataset(const KernelServices& step, std::string_view op, AttrMap attrs,
                                           std::vector<Tensor> inputs, const Dataset& replaced,
                                           std::vector<RefPtr<FunctionSource>> functions) {
  auto node = std::make_shared<NodeInfo>();
  node->name = op;
  node->op = OpRegistry::global().find(op);
  node->attrs = std::move(attrs);
  for (const Tensor& input : inputs) node->inputs.push_back({input.dtype(), false});
  TINYTF_RETURN_IF_ERROR(complete_node(*node, {}));
  return make_dataset(step, DatasetOrigin{std::move(node), std::move(inputs), std::move(functions)}, replaced);
}

}  // namespace tinytf::data
