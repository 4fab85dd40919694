#include "ops/data/shared/dataset_kernel.h"

#include "data/rewrite_site.h"
#include "op/kept_value.h"

namespace tinytf::ops {

DatasetKernel::DatasetKernel(KernelInit& init, std::string_view types, std::string_view shapes)
    : node_(std::make_shared<const NodeInfo>(init.node())) {
  auto spec = std::make_shared<ElementSpec>();
  if (!types.empty()) {
    spec->types = init.attr<std::vector<DType>>(types);
    spec->shapes = init.attr<std::vector<PartialShape>>(shapes);
    if (spec->types.size() != spec->shapes.size()) {
      init.fail(invalid_argument("`", types, "` and `", shapes, "` must have the same length, got ", spec->types.size(),
                                 " and ", spec->shapes.size()));
    }
  }
  spec_ = std::move(spec);
}

DatasetKernel::DatasetKernel(KernelInit& init, std::shared_ptr<const ElementSpec> spec)
    : node_(std::make_shared<const NodeInfo>(init.node())), spec_(std::move(spec)) {}

Status DatasetKernel::compute(KernelContext& ctx) {
  DatasetParts parts{{node_, {}}, spec_, 1};
  for (int i = 0; i < ctx.num_inputs(); ++i) {
    TINYTF_ASSIGN_OR_RETURN(Tensor input, kept_value(ctx, ctx.input(i)));
    parts.origin.inputs.push_back(std::move(input));
  }
  TINYTF_RETURN_IF_ERROR(find_functions(ctx, parts.origin));
  TINYTF_ASSIGN_OR_RETURN(parts.levels, Dataset::levels_around(parts.origin.inputs));
  FunctionRunner* const runner = ctx.step().functions;
  if (runner != nullptr) parts.origin.maker = runner->id();
  TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> dataset, make(ctx, std::move(parts)));
  if (runner != nullptr && runner->rewrites().any()) {
    const data::RewriteSite site(ctx.step(), runner->rewrites(), constant_inputs_, runner->id());
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> other, dataset->rewritten(site));
    if (other) dataset = std::move(other);
  }
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
  out->data<Variant>()->value = std::move(dataset);
  return Status();
}

Status DatasetKernel::find_functions(const KernelContext& ctx, data::DatasetOrigin& origin) const {
  FunctionRunner* const runner = ctx.step().functions;
  if (runner == nullptr) return Status();
  for (const FuncRef* function : data::functions_named_by(*node_)) {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<FunctionSource> source, runner->source(*function));
    origin.functions.push_back(std::move(source));
  }
  return Status();
}

Element inputs_between(const KernelContext& ctx, int first, int count) {
  Element inputs;
  inputs.reserve(static_cast<size_t>(count));
  for (int i = first; i < first + count; ++i) inputs.push_back(ctx.input(i));
  return inputs;
}

int list_length(const NodeInfo& node, std::string_view types_attr) {
  const auto* types = node.attrs.get<std::vector<DType>>(types_attr);
  return types != nullptr ? static_cast<int>(types->size()) : 0;
}

}  // namespace tinytf::ops
