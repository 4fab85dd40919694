#include "ops/data_flow/shared/step_handle.h"

namespace tinytf::ops {

namespace {

/// The memory behind the references to a handle.
class HandleVariable final : public Resource {
 public:
  static constexpr const char* kTypeName = "handle";  // no op looks this name up
  std::string debug_string() const override { return "handle of a step"; }

  RefVariable variable;
};

std::string container_of(const KernelServices& step) { return str_cat("__per_step_", step.step_id); }

void fill(Tensor& handle, const StepName& name) {
  auto* texts = handle.data<std::string>();
  texts[0] = name.family;
  texts[1] = name.name;
}

/// The variable of the handle with this name, created on the first call.
Result<RefVariable*> handle_variable(KernelContext& ctx, const StepName& name) {
  const auto make = [&]() -> Result<RefPtr<Resource>> {
    auto made = make_ref<HandleVariable>();
    TINYTF_ASSIGN_OR_RETURN(made->variable.tensor, ctx.allocate(DType::kString, Shape({2})));
    fill(made->variable.tensor, name);
    return RefPtr<Resource>(std::move(made));
  };
  TINYTF_ASSIGN_OR_RETURN(RefPtr<Resource> kept,
                          ctx.step().step_resources->find_or_create(container_of(ctx.step()), HandleVariable::kTypeName,
                                                                    name.joined(), make));
  return &static_cast<HandleVariable&>(*kept).variable;
}

Result<StepName> parse(const Tensor& handle, const char* rule) {
  if (!handle.valid() || handle.num_elements() != 2) {
    return invalid_argument(rule, handle.valid() ? handle.shape().to_string() : "<unknown>");
  }
  const auto* texts = handle.data<std::string>();
  return StepName{texts[0], texts[1]};
}

}  // namespace

Status set_step_handle(KernelContext& ctx, int i, const StepName& name, const char* type_name, RefPtr<Resource> state) {
  const ArgType type = ctx.node().outputs[i];
  std::string container = container_of(ctx.step());
  if (type.dtype == DType::kResource) {
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(i, Shape({2})));
    out->data<ResourceHandle>()[0] = {std::move(container), name.joined(), type_name, std::move(state)};
    return Status();
  }
  const auto keep = [&]() -> Result<RefPtr<Resource>> { return std::move(state); };
  TINYTF_RETURN_IF_ERROR(ctx.step().step_resources->find_or_create(container, type_name, name.joined(), keep).status());
  if (type.is_ref) {
    TINYTF_ASSIGN_OR_RETURN(RefVariable * variable, handle_variable(ctx, name));
    ctx.set_ref_output(i, variable);
    return Status();
  }
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(i, Shape({2})));
  fill(*out, name);
  return Status();
}

Result<StepName> input_step_name(const KernelContext& ctx, const char* rule) {
  RefVariable* variable = ctx.input_variable(0);
  if (variable == nullptr) return parse(ctx.input(0), rule);
  std::lock_guard lock(variable->mutex);
  return parse(variable->tensor, rule);
}

Result<Resource*> find_in_step(const KernelContext& ctx, const StepName& name, const char* type_name) {
  TINYTF_ASSIGN_OR_RETURN(RefPtr<Resource> found,
                          ctx.step().step_resources->find(container_of(ctx.step()), type_name, name.joined()));
  return found.get();
}

Result<Resource*> input_step_resource(const KernelContext& ctx, const char* type_name, const char* noun) {
  const Tensor& handles = ctx.input(0);
  if (handles.num_elements() == 0) {
    return invalid_argument("The handle of a ", noun, " is missing: its shape is ", handles.shape().to_string());
  }
  const ResourceHandle& handle = *handles.data<ResourceHandle>();
  if (handle.resource && handle.type_name == type_name) return handle.resource.get();
  return invalid_argument("Trying to access resource using the wrong type. Expected ", handle.type_name, " got ",
                          type_name);
}

}  // namespace tinytf::ops
