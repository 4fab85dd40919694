#include "op/async_kernel.h"
#include "op/op_def.h"
#include "op/registration.h"
#include "ops/data_flow/shared/named_state.h"
#include "ops/data_flow/shared/sparse_accumulator.h"
#include "ops/dtype_lists.h"

namespace tinytf::ops {
namespace {

const char* kind_of(bool is_sparse) { return is_sparse ? "sparse" : "dense"; }

/// Makes an accumulator of class A. Nodes that share one must agree only in the dtype.
template <class A>
class AccumulatorMaker {
 public:
  using State = Accumulator;
  static constexpr ResourceName::Unnamed kUnnamed = ResourceName::Unnamed::kPrivate;

  explicit AccumulatorMaker(KernelInit& init)
      : dtype_(init.attr<DType>("dtype")),
        shape_(init.attr<PartialShape>("shape")),
        takes_mean_(init.attr<std::string>("reduction_type") == "MEAN") {}

  RefPtr<Resource> make(const std::string& name) const {
    return RefPtr<Resource>(make_ref<A>(name, dtype_, shape_, takes_mean_));
  }
  Status check(const Accumulator& found) const {
    if (found.is_sparse() != A::kIsSparse) {
      return invalid_argument("Shared accumulator has ", kind_of(found.is_sparse()), " gradients but ",
                              kind_of(A::kIsSparse), " ones were requested");
    }
    if (found.dtype() == dtype_) return Status();
    return invalid_argument("Shared accumulator has type ", dtype_name(found.dtype()), " but requested type was ",
                            dtype_name(dtype_));
  }

 private:
  const DType dtype_;
  const PartialShape shape_;
  const bool takes_mean_;
};

/// Checks that the accumulator holds gradients of this kind and dtype.
Status check_kind(const Accumulator& accumulator, bool is_sparse, DType dtype) {
  if (accumulator.is_sparse() != is_sparse) {
    return invalid_argument("Expected a ", kind_of(accumulator.is_sparse()), " gradient, got a ", kind_of(is_sparse),
                            " one");
  }
  if (accumulator.dtype() == dtype) return Status();
  return invalid_argument("Expected a gradient of type ", dtype_name(accumulator.dtype()), ", got ", dtype_name(dtype));
}

/// Checks that input 1, called `name` in messages, is a scalar.
Status check_scalar(const KernelContext& ctx, const char* name) {
  if (ctx.input(1).rank() == 0) return Status();
  return invalid_argument("Argument ", name, " must be scalar, but had bad shape ", ctx.input(1).shape().to_string());
}

class ApplyGradientKernel final : public Kernel {
 public:
  explicit ApplyGradientKernel(KernelInit& /*init*/) {}

  Status compute(KernelContext& ctx) override {
    Status status;
    RefPtr<Resource> found;
    Accumulator* accumulator = input_state<Accumulator>(ctx, 0, &found, &status);
    if (accumulator == nullptr) return status;
    TINYTF_RETURN_IF_ERROR(check_scalar(ctx, "local_step"));
    TINYTF_RETURN_IF_ERROR(check_kind(*accumulator, DenseAccumulator::kIsSparse, ctx.input(2).dtype()));
    return static_cast<DenseAccumulator*>(accumulator)->apply(ctx, ctx.input(1).int_at(0), ctx.input(2));
  }
};

class SparseApplyGradientKernel final : public Kernel {
 public:
  explicit SparseApplyGradientKernel(KernelInit& init) : has_known_shape_(init.attr<bool>("has_known_shape")) {}

  Status compute(KernelContext& ctx) override {
    Status status;
    RefPtr<Resource> found;
    Accumulator* accumulator = input_state<Accumulator>(ctx, 0, &found, &status);
    if (accumulator == nullptr) return status;
    TINYTF_RETURN_IF_ERROR(check_scalar(ctx, "local_step"));
    TINYTF_RETURN_IF_ERROR(check_kind(*accumulator, SparseAccumulator::kIsSparse, ctx.input(3).dtype()));
    const SparseGradient gradient{ctx.input(2), ctx.input(3), has_known_shape_ ? &ctx.input(4) : nullptr};
    return static_cast<SparseAccumulator*>(accumulator)->apply(ctx, ctx.input(1).int_at(0), gradient);
  }

 private:
  const bool has_known_shape_;
};

/// `kSum` is the index of the output with the sum or mean.
template <class A, int kSum>
class TakeGradientKernel final : public AsyncKernel {
 public:
  explicit TakeGradientKernel(KernelInit& init) : dtype_(init.output_type(kSum)) {}

  void compute_async(KernelContext& ctx, Done done) override {
    Status status;
    RefPtr<Resource> found;
    Accumulator* accumulator = input_state<Accumulator>(ctx, 0, &found, &status);
    if (accumulator == nullptr) return done(std::move(status));
    status = check_scalar(ctx, "num_required");
    if (status.ok()) status = check_kind(*accumulator, A::kIsSparse, dtype_);
    if (!status.ok()) return done(std::move(status));
    const int64_t required = ctx.input(1).int_at(0);
    if (required <= 0) return done(invalid_argument("Argument num_required must be positive, but was ", required));
    accumulator->take({&ctx, keeping(std::move(found), std::move(done)), required});
  }

 private:
  const DType dtype_;
};

class SetGlobalStepKernel final : public Kernel {
 public:
  explicit SetGlobalStepKernel(KernelInit& /*init*/) {}

  Status compute(KernelContext& ctx) override {
    Status status;
    RefPtr<Resource> found;
    Accumulator* accumulator = input_state<Accumulator>(ctx, 0, &found, &status);
    if (accumulator == nullptr) return status;
    TINYTF_RETURN_IF_ERROR(check_scalar(ctx, "num_required"));  // TensorFlow's message uses this name here too
    accumulator->set_global_step(ctx.input(1).int_at(0));
    return Status();
  }
};

class NumAccumulatedKernel final : public Kernel {
 public:
  explicit NumAccumulatedKernel(KernelInit& /*init*/) {}

  Status compute(KernelContext& ctx) override {
    Status status;
    RefPtr<Resource> found;
    const Accumulator* accumulator = input_state<Accumulator>(ctx, 0, &found, &status);
    if (accumulator == nullptr) return status;
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    *out->data<int32_t>() = static_cast<int32_t>(accumulator->count());
    return Status();
  }
};

/// Shape function: input 1 is a scalar; the outputs are unknown.
Status scalar_argument_shape(ShapeContext& c) { return c.with_rank(1, 0); }

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_conditional_accumulator) {
  using namespace tinytf::ops;
  constexpr const char* kDtype =
      "dtype: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, uint16, "
      "complex128, half, uint32, uint64}";
  for (const bool is_early : {false, true}) {
    const auto name = [is_early](const char* early) {
      return is_early ? std::string(early) : str_cat("Resource", early);
    };
    const auto declare = [&](const char* early) {
      tinytf::OpDefBuilder op = ops.op(name(early));
      op.input(is_early ? "handle: Ref(string)" : "handle: resource").no_gradient();
      return is_early ? op : op.stateful();
    };
    ops.op(name("ConditionalAccumulator"))
        .output(is_early ? "handle: Ref(string)" : "handle: resource")
        .attr(kDtype)
        .attr("shape: shape")
        .attr("container: string = ''")
        .attr("shared_name: string = ''")
        .attr("reduction_type: {'MEAN', 'SUM'} = 'MEAN'")
        .stateful()
        .shape(text_handle_shape)
        .no_gradient()
        .doc(
            "Returns a handle to an accumulator of dense gradients. Gradients of equal shapes are added up until they "
            "are taken as their mean or sum, as `reduction_type` says.");
    kernels.add<NamedStateKernel<AccumulatorMaker<DenseAccumulator>>>(name("ConditionalAccumulator"))
        .where("dtype", kFloats);

    declare("AccumulatorApplyGradient")
        .input("local_step: int64")
        .input("gradient: dtype")
        .attr(kDtype)
        .trait(tinytf::Trait::kWritesExternalState)
        .shape(scalar_argument_shape)
        .doc(
            "Adds `gradient` to the accumulator, or drops it if `local_step` is less than the accumulator's global "
            "step.");
    kernels.add<ApplyGradientKernel>(name("AccumulatorApplyGradient")).where("dtype", kFloats);

    declare("AccumulatorTakeGradient")
        .input("num_required: int32")
        .output("average: dtype")
        .attr(kDtype)
        .trait(tinytf::Trait::kReadsExternalState)
        .trait(tinytf::Trait::kWritesExternalState)
        .shape(scalar_argument_shape)
        .doc(
            "Waits until at least `num_required` gradients have been added and takes their mean or sum as `average`. "
            "The accumulator is then empty, and its global step is incremented.");
    kernels.add<TakeGradientKernel<DenseAccumulator, 0>>(name("AccumulatorTakeGradient")).where("dtype", kFloats);

    declare("AccumulatorSetGlobalStep")
        .input("new_global_step: int64")
        .trait(tinytf::Trait::kWritesExternalState)
        .shape(scalar_argument_shape)
        .doc("Sets the accumulator's global step to `new_global_step`.");
    kernels.add<SetGlobalStepKernel>(name("AccumulatorSetGlobalStep"));

    declare("AccumulatorNumAccumulated")
        .output("num_accumulated: int32")
        .trait(tinytf::Trait::kReadsResource)
        .trait(tinytf::Trait::kReadsExternalState)
        .shape(shapes::scalar)
        .doc("Returns the number of gradients that have been added.");
    kernels.add<NumAccumulatedKernel>(name("AccumulatorNumAccumulated"));
  }

  ops.op("SparseConditionalAccumulator")
      .output("handle: Ref(string)")
      .attr(kDtype)
      .attr("shape: shape")
      .attr("container: string = ''")
      .attr("shared_name: string = ''")
      .attr("reduction_type: {'MEAN', 'SUM'} = 'MEAN'")
      .stateful()
      .shape(text_handle_shape)
      .no_gradient()
      .doc(
          "Returns a handle to an accumulator of sparse gradients, which contain only some rows. They are added up "
          "until they are taken as their mean or sum, as `reduction_type` says; the mean of a row is over the "
          "gradients that contain it.");
  kernels.add<NamedStateKernel<AccumulatorMaker<SparseAccumulator>>>("SparseConditionalAccumulator")
      .where("dtype", kFloats);

  ops.op("SparseAccumulatorApplyGradient")
      .input("handle: Ref(string)")
      .input("local_step: int64")
      .input("gradient_indices: int64")
      .input("gradient_values: dtype")
      .input("gradient_shape: int64")
      .attr(kDtype)
      .attr("has_known_shape: bool")
      .trait(tinytf::Trait::kWritesExternalState)
      .shape(scalar_argument_shape)
      .no_gradient()
      .doc(
          "Adds a sparse gradient with the rows `gradient_values` at the ascending indices `gradient_indices`, or "
          "drops it if `local_step` is less than the accumulator's global step.");
  kernels.add<SparseApplyGradientKernel>("SparseAccumulatorApplyGradient").where("dtype", kFloats);

  ops.op("SparseAccumulatorTakeGradient")
      .input("handle: Ref(string)")
      .input("num_required: int32")
      .output("indices: int64")
      .output("values: dtype")
      .output("shape: int64")
      .attr(kDtype)
      .trait(tinytf::Trait::kReadsExternalState)
      .trait(tinytf::Trait::kWritesExternalState)
      .shape(scalar_argument_shape)
      .no_gradient()
      .doc(
          "Waits until at least `num_required` gradients have been added and takes their mean or sum: the rows "
          "`values` at `indices` of a tensor of shape `shape`. The accumulator is then empty, and its global step is "
          "incremented.");
  kernels.add<TakeGradientKernel<SparseAccumulator, 1>>("SparseAccumulatorTakeGradient").where("dtype", kFloats);
}
