#include "runtime/eager/eager_kernel.h"

#include <algorithm>

#include "op/kernel_registry.h"
#include "op/removed_ops.h"

namespace tinytf {

namespace {

Status no_references(const NodeInfo& node) {
  for (const auto* args : {&node.op->inputs, &node.op->outputs}) {
    for (const ArgDef& arg : *args) {
      if (arg.is_ref) {
        return unimplemented(node.op->name, " op does not support eager execution. Arg '", arg.name, "' is a ref.");
      }
    }
  }
  return Status();
}

/// A Switch for eager execution: the output that gets no value is an empty tensor.
class WholeSwitch final : public Kernel {
 public:
  explicit WholeSwitch(std::unique_ptr<Kernel> kernel) : kernel_(std::move(kernel)) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(kernel_->compute(ctx));
    for (int i = 0; i < ctx.num_outputs(); ++i) {
      if (ctx.output(i).tensor.valid()) continue;
      TINYTF_RETURN_IF_ERROR(ctx.allocate_output(i, Shape({0})).status());
    }
    return Status();
  }

 private:
  const std::unique_ptr<Kernel> kernel_;
};

std::vector<int> lengths_of_outputs(const NodeInfo& node) {
  std::vector<int> lengths;
  for (const ArgDef& arg : node.op->outputs) {
    if (!arg.number_attr.empty()) {
      lengths.push_back(static_cast<int>(*node.attrs.get<int64_t>(arg.number_attr)));
    } else if (!arg.type_list_attr.empty()) {
      lengths.push_back(static_cast<int>(node.attrs.get<std::vector<DType>>(arg.type_list_attr)->size()));
    } else {
      lengths.push_back(-1);
    }
  }
  return lengths;
}

}  // namespace

void EagerKernel::find_functions() {
  const auto add = [this](const FuncRef& named) {
    RefPtr<EagerFunction> found = EagerLibrary::of_process().find(named.name);
    names_missing_ |= !found;
    if (found) functions_.push_back(std::move(found));
  };
  for (const auto& [name, value] : node_.attrs) {
    if (const auto* one = std::get_if<FuncRef>(&value)) add(*one);
    if (const auto* several = std::get_if<std::vector<FuncRef>>(&value)) {
      std::for_each(several->begin(), several->end(), add);
    }
  }
}

EagerFunction* EagerKernel::function(const std::string& name) const {
  for (const RefPtr<EagerFunction>& function : functions_) {
    if (function->name() == name) return function.get();
  }
  return nullptr;
}

bool EagerKernel::lacks_functions() const {
  return names_missing_ || std::any_of(functions_.begin(), functions_.end(),
                                       [](const RefPtr<EagerFunction>& function) { return function->has_left(); });
}

Result<RefPtr<EagerKernel>> EagerKernel::make(NodeInfo node, const std::vector<int>& group_sizes) {
  TINYTF_RETURN_IF_ERROR(no_references(node));
  TINYTF_RETURN_IF_ERROR(complete_node(node, group_sizes));
  TINYTF_RETURN_IF_ERROR(check_not_removed(node.op->name, kGraphDefVersion));
  RefPtr<EagerKernel> made = RefPtr<EagerKernel>::adopt(new EagerKernel(std::move(node)));
  TINYTF_ASSIGN_OR_RETURN(made->kernel_, KernelRegistry::global().create(made->node_));
  if (made->node_.op->control_flow == ControlFlow::kSwitch) {
    made->kernel_ = std::make_unique<WholeSwitch>(std::move(made->kernel_));
  }
  made->output_groups_ = lengths_of_outputs(made->node_);
  made->waits_ = made->kernel_->is_async();
  const OpDef& op = *made->node_.op;
  made->shares_state_ = op.has(Trait::kReadsExternalState) || op.has(Trait::kWritesExternalState);
  made->find_functions();  // Also of ops that keep functions for later, such as those of datasets.
  made->calls_functions_ = op.calls_functions() || made->names_missing_ || !made->functions_.empty();
  const auto& inputs = made->node_.inputs;
  made->takes_state_ =
      std::any_of(inputs.begin(), inputs.end(), [](const ArgType& type) { return type.dtype == DType::kResource; });
  return made;
}

}  // namespace tinytf
