#include "ops/training/shared/optimizer.h"

#include <string_view>

#include "kernels/table.h"
#include "ops/dtype_lists.h"
#include "ops/loop_of.h"
#include "ops/state/variable.h"

namespace tinytf::ops {

namespace {

using kernels::Hyper;

bool is_gradient(std::string_view input) { return input == "grad" || input == "delta"; }

/// The shape of a variable, which is either a reference or a resource handle.
Result<PartialShape> variable_shape(const ShapeContext& c, int i) {
  if (c.node().inputs[i].dtype != DType::kResource) return c.input(i);
  TINYTF_ASSIGN_OR_RETURN(const HandleInfo* info, variable_info(c, i, "T"));
  return info ? info->shape : PartialShape();
}

Status merge_into(PartialShape* shape, const PartialShape& other) {
  TINYTF_ASSIGN_OR_RETURN(*shape, shape->merge(other));
  return Status();
}

/// Shape function: all variables have the same shape and hyperparameters are scalars; a dense gradient has the shape of
/// the variables, a sparse one the shape of their rows.
Status optimizer_shape(ShapeContext& c) {
  const std::vector<ArgDef>& inputs = c.node().op->inputs;
  TINYTF_ASSIGN_OR_RETURN(PartialShape var, variable_shape(c, 0));
  int gradient = -1;
  int indices = -1;
  for (int i = 1; i < c.num_inputs(); ++i) {
    if (inputs[i].is_ref || inputs[i].type == DType::kResource) {
      TINYTF_ASSIGN_OR_RETURN(const PartialShape other, variable_shape(c, i));
      TINYTF_RETURN_IF_ERROR(merge_into(&var, other));
    } else if (is_gradient(inputs[i].name)) {
      gradient = i;
    } else if (inputs[i].name == "indices") {
      indices = i;
    } else {
      TINYTF_RETURN_IF_ERROR(c.with_rank(i, 0));
    }
  }
  if (indices < 0) {
    TINYTF_RETURN_IF_ERROR(merge_into(&var, c.input(gradient)));
  } else {
    PartialShape rows;
    PartialShape grad;
    TINYTF_RETURN_IF_ERROR(c.with_rank(indices, 1, &rows));
    TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(gradient, 1, &grad));
    if (grad.known_rank()) {
      TINYTF_RETURN_IF_ERROR(merge_dims(grad.dim(0), rows.dim(0)).status());
      grad.set_dim(0, kUnknownDim);
      TINYTF_RETURN_IF_ERROR(merge_into(&var, grad));
    }
  }
  if (c.num_outputs() > 0) c.set_output(0, std::move(var));
  return Status();
}

Result<double> scalar_value(const KernelContext& ctx, int i) {
  const Tensor& value = ctx.input(i);
  if (value.rank() != 0) {
    return invalid_argument(ctx.node().op->inputs[i].name, " is not a scalar: ", value.shape().to_string());
  }
  switch (value.dtype()) {
    case DType::kFloat: return static_cast<double>(*value.data<float>());
    case DType::kDouble: return *value.data<double>();
    case DType::kHalf: return static_cast<double>(static_cast<float>(*value.data<Half>()));
    case DType::kBfloat16: return static_cast<double>(static_cast<float>(*value.data<BFloat16>()));
    default: return static_cast<double>(value.int_at(0));
  }
}

/// Checks that a rate or regularization strength is in its valid range, which excludes NaN.
Status check_bounds(double Hyper::* field, double value, const Shape& shape) {
  struct Bounds {
    double Hyper::* field;
    bool (*holds)(double);
    const char* text;
  };
  constexpr auto kNotNegative = [](double x) { return x >= 0; };
  static constexpr Bounds kBounds[] = {
      {&Hyper::lr, [](double x) { return x > 0; }, "lr is not a positive scalar: "},
      {&Hyper::l1, kNotNegative, "l1 regularization strength is not a non-negative scalar: "},
      {&Hyper::l2, kNotNegative, "l2 regularization strength is not a non-negative scalar: "},
      {&Hyper::l2_shrinkage, kNotNegative, "l2 shrinkage regularization strength is not a non-negative scalar: "},
      {&Hyper::lr_power, [](double x) { return x <= 0; }, "lr_power is not a non-positive scalar: "},
  };
  for (const Bounds& bounds : kBounds) {
    if (bounds.field == field && !bounds.holds(value)) return invalid_argument(bounds.text, shape.to_string());
  }
  return Status();
}

/// Base of the kernels of all optimizers: finds the roles of the inputs, and opens the variables of one execution.
class OptimizerKernel : public Kernel {
 public:
  OptimizerKernel(KernelInit& init, const OptimizerSpec& spec)
      : dtype_(init.attr<DType>("T")),
        slots_(static_cast<int>(spec.slots.size())),
        bounded_(spec.bounded),
        use_locking_(init.attr<bool>("use_locking")) {
    if (const bool* nesterov = init.node().attrs.get<bool>("use_nesterov")) hyper_.nesterov = *nesterov;
    if (const bool* update_slots = init.node().attrs.get<bool>("update_slots")) hyper_.update_slots = *update_slots;
    const std::vector<ArgDef>& inputs = init.node().op->inputs;
    for (int i = slots_ + 1; i < static_cast<int>(inputs.size()); ++i) {
      if (inputs[i].name == "indices") indices_ = i;
      if (is_gradient(inputs[i].name)) gradient_ = i;
      for (const OptimizerInput& declared : spec.inputs) {
        if (declared.field != nullptr && inputs[i].name == declared.name) scalars_.push_back({i, declared.field});
      }
    }
  }

 protected:
  Status read_scalars(const KernelContext& ctx, Hyper* hyper) const {
    *hyper = hyper_;
    for (const auto& [input, field] : scalars_) {
      TINYTF_ASSIGN_OR_RETURN(hyper->*field, scalar_value(ctx, input));
      if (bounded_) TINYTF_RETURN_IF_ERROR(check_bounds(field, hyper->*field, ctx.input(input).shape()));
    }
    return Status();
  }

  /// Opens the variables and checks that the slots have the shape of the variable.
  Status open(KernelContext& ctx, VariableUpdate* variables, kernels::UpdateState* state) const {
    TINYTF_RETURN_IF_ERROR(variables->open(ctx, slots_ + 1, dtype_, use_locking_));
    const Shape& shape = (*variables)[0].shape();
    state->var = (*variables)[0].raw();
    for (int i = 0; i < slots_; ++i) {
      Tensor& slot = (*variables)[i + 1];
      if (slot.shape() != shape) return shapes_differ(ctx, i + 1, shape, slot.shape());
      state->slots[i] = slot.raw();
    }
    state->grad = ctx.input(gradient_).raw();
    return Status();
  }

  static Status shapes_differ(const KernelContext& ctx, int input, const Shape& var, const Shape& other) {
    return invalid_argument("var and ", ctx.node().op->inputs[input].name, " do not have the same shape",
                            var.to_string(), " ", other.to_string());
  }

  const DType dtype_;
  const int slots_;
  const bool bounded_;
  const bool use_locking_;
  int gradient_ = -1;
  int indices_ = -1;

 private:
  struct Scalar {
    int input;
    double Hyper::* field;
  };
  std::vector<Scalar> scalars_;
  Hyper hyper_;
};

class DenseOptimizerKernel final : public OptimizerKernel {
 public:
  DenseOptimizerKernel(KernelInit& init, const OptimizerSpec& spec)
      : OptimizerKernel(init, spec),
        update_(loop_of(init, kernels::table().update.dense[static_cast<int>(spec.optimizer)], dtype_)) {}

  Status compute(KernelContext& ctx) override {
    Hyper hyper;
    TINYTF_RETURN_IF_ERROR(read_scalars(ctx, &hyper));
    VariableUpdate variables;
    kernels::UpdateState state;
    TINYTF_RETURN_IF_ERROR(open(ctx, &variables, &state));
    const Shape& shape = variables[0].shape();
    const Tensor& gradient = ctx.input(gradient_);
    if (gradient.shape() != shape) return shapes_differ(ctx, gradient_, shape, gradient.shape());
    update_(state, hyper, shape.num_elements(), ctx.parallel());
    VariableUpdate::forward_ref(ctx);
    return Status();
  }

 private:
  kernels::DenseUpdate update_;
};

class SparseOptimizerKernel final : public OptimizerKernel {
 public:
  SparseOptimizerKernel(KernelInit& init, const OptimizerSpec& spec)
      : OptimizerKernel(init, spec),
        update_(loop_of(init, kernels::table().update.sparse[static_cast<int>(spec.optimizer)], dtype_)) {}

  Status compute(KernelContext& ctx) override {
    Hyper hyper;
    TINYTF_RETURN_IF_ERROR(read_scalars(ctx, &hyper));
    VariableUpdate variables;
    kernels::UpdateState state;
    TINYTF_RETURN_IF_ERROR(open(ctx, &variables, &state));
    const Shape& shape = variables[0].shape();
    const Tensor& gradient = ctx.input(gradient_);
    const Tensor& rows = ctx.input(indices_);
    TINYTF_RETURN_IF_ERROR(check_rows(shape, gradient.shape(), rows.shape()));
    const int64_t inner = shape.product(1, shape.rank());
    const kernels::Indices indices{rows.raw(), rows.dtype(), rows.num_elements()};
    const int64_t bad = update_(state, hyper, shape.dim(0), inner, indices, ctx.parallel());
    if (bad != kernels::kAllInRange) {
      return invalid_argument("Index ", rows.int_at(bad), " at offset ", bad, " in indices is out of range");
    }
    VariableUpdate::forward_ref(ctx);
    return Status();
  }

 private:
  static Status check_rows(const Shape& var, const Shape& gradient, const Shape& indices) {
    if (var.rank() < 1) return invalid_argument("var must be at least 1 dimensional");
    if (indices.rank() != 1) return invalid_argument("indices must be one-dimensional");
    if (gradient.rank() != var.rank()) {
      return invalid_argument("var and grad must have the same rank: ", var.to_string(), " ", gradient.to_string());
    }
    for (int d = 1; d < var.rank(); ++d) {
      if (gradient.dim(d) != var.dim(d)) return invalid_argument("var and grad must match in dimension ", d);
    }
    if (gradient.dim(0) != indices.dim(0)) {
      return invalid_argument("grad must be the same size as indices in the first dimension.");
    }
    return Status();
  }

  kernels::SparseUpdate update_;
};

void declare_form(OpRegistry& ops, KernelRegistry& kernels, const OptimizerSpec& spec, bool resource, bool sparse) {
  const std::string name = str_cat(resource ? "Resource" : "", sparse ? "Sparse" : "", "Apply", spec.name);
  const std::string variable = resource ? ": resource" : ": Ref(T)";
  OpDefBuilder op = ops.op(name);
  op.input(str_cat("var", variable));
  for (const char* slot : spec.slots) op.input(str_cat(slot, variable));
  for (const OptimizerInput& input : spec.inputs) {
    const bool is_step = input.field == &Hyper::global_step;
    const bool gradient = input.field == nullptr;
    op.input(str_cat(gradient && sparse ? "grad" : input.name, is_step ? ": int64" : ": T"));
    if (gradient && sparse) op.input("indices: Tindices");
  }
  if (!resource) op.output("out: Ref(T)");
  op.attr("T: numbertype");
  if (sparse) op.attr("Tindices: {int32, int64}");
  op.attr("use_locking: bool = false");
  for (const char* attr : spec.attrs) op.attr(attr);
  if (resource) op.stateful();
  op.shape(optimizer_shape).no_gradient();
  op.doc(str_cat(spec.doc,
                 sparse ? " Only the rows of `var` at `indices` change; `grad` has one row for each of them." : "",
                 resource ? "" : " The output is the reference `var`."));
  kernels
      .add(name,
           [spec, sparse](KernelInit& init) -> std::unique_ptr<Kernel> {
             if (sparse) return std::make_unique<SparseOptimizerKernel>(init, spec);
             return std::make_unique<DenseOptimizerKernel>(init, spec);
           })
      .where("T", kAllFloats);
}

}  // namespace

void declare_optimizer(OpRegistry& ops, KernelRegistry& kernels, unsigned forms, const OptimizerSpec& spec) {
  if (forms & kApply) declare_form(ops, kernels, spec, /*resource=*/false, /*sparse=*/false);
  if (forms & kResourceApply) declare_form(ops, kernels, spec, /*resource=*/true, /*sparse=*/false);
  if (forms & kSparseApply) declare_form(ops, kernels, spec, /*resource=*/false, /*sparse=*/true);
  if (forms & kResourceSparseApply) declare_form(ops, kernels, spec, /*resource=*/true, /*sparse=*/true);
}

}  // namespace tinytf::ops
