#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/variant_elements.h"

namespace tinytf::ops {
namespace {

class AddNKernel : public Kernel {
 public:
  explicit AddNKernel(KernelInit& init) : dtype_(init.input_type(0)) {
    if (kernels::table().elementwise.add_n[static_cast<int>(dtype_)] == nullptr) {
      init.fail(internal_error("no kernel loop for dtype ", dtype_name(dtype_)));
    }
  }

  Status compute(KernelContext& ctx) override {
    const Shape& shape = ctx.input(0).shape();
    const int count = ctx.num_inputs();
    InlinedVector<const void*, 16> inputs;
    int reused = -1;
    for (int i = 0; i < count; ++i) {
      const Tensor& input = ctx.input(i);
      if (input.shape() != shape) {
        return invalid_argument("Inputs to operation ", ctx.node().name, " of type ", ctx.node().op->name,
                                " must have the same size and shape.", "  Input 0: ", shape.to_string(), " != input ",
                                i, ": ", input.shape().to_string());
      }
      inputs.push_back(input.raw());
      if (reused < 0 && ctx.can_forward(i, dtype_, shape.num_elements())) reused = i;
    }
    if (count == 1) {
      ctx.set_output(0, ctx.input(0));
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * sum, ctx.forward_or_allocate(std::max(reused, 0), 0, shape));
    kernels::run_add_n(kernels::table().elementwise, dtype_, inputs.data(), count, sum->raw(), sum->num_elements(),
                       ctx.parallel());
    return Status();
  }

 private:
  const DType dtype_;
};

/// Merges the shapes of the inputs, and their handle data if they are lists.
Status add_n_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(shapes::merged_inputs(c));
  const HandleInfo* last = c.input_handle(c.num_inputs() - 1);
  if (last == nullptr) return Status();
  HandleInfo merged = *last;
  for (int i = c.num_inputs() - 2; i >= 0; --i) {
    const HandleInfo* info = c.input_handle(i);
    if (info == nullptr) continue;
    if (info->dtype != merged.dtype) {
      return invalid_argument("shapes_and_types[", i, "][0].dtype() == ", dtype_name(info->dtype),
                              " != shapes_and_types[0][0].dtype == ", dtype_name(merged.dtype));
    }
    auto shape = info->shape.merge(merged.shape);
    if (!shape.ok()) {
      return invalid_argument(shape.status().message(), "\n\tFrom merging shapes_and_types[", i,
                              "][0].shape with shapes_and_types[0][0].shape");
    }
    merged.shape = shape.take();
  }
  c.set_output_handle(0, std::move(merged));
  return Status();
}

class VariantAddNKernel final : public Kernel {
 public:
  explicit VariantAddNKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    Tensor sum = ctx.input(0);
    for (int i = 1; i < ctx.num_inputs(); ++i) {
      if (ctx.input(i).shape() != sum.shape()) {
        return invalid_argument(
            "Inputs to operation ", ctx.node().name, " of type AddN must have the same size and shape.",
            "  Input 0: ", sum.shape().to_string(), " != input ", i, ": ", ctx.input(i).shape().to_string());
      }
      TINYTF_ASSIGN_OR_RETURN(sum, sum_of(sum, ctx.input(i), ctx.allocator()));
    }
    ctx.set_output(0, std::move(sum));
    return Status();
  }
};

/// AddN for inputs that must have the shape declared in attr `shape`.
class AccumulateNKernel final : public AddNKernel {
 public:
  explicit AccumulateNKernel(KernelInit& init) : AddNKernel(init), declared_(init.attr<PartialShape>("shape")) {}

  Status compute(KernelContext& ctx) override {
    const Shape& shape = ctx.input(0).shape();
    if (declared_.compatible_with(shape)) return AddNKernel::compute(ctx);
    return invalid_argument("Inputs to operation ", ctx.node().name, " of type ", ctx.node().op->name,
                            " must have shape ", declared_.to_string(), ", not ", shape.to_string());
  }

 private:
  const PartialShape declared_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_add_n) {
  ops.op("AddN")
      .input("inputs: N * T")
      .output("sum: T")
      .attr("N: int >= 1")
      .attr(
          "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, uint16, "
          "complex128, half, uint32, uint64, variant}")
      .commutative()
      .aggregate()
      .shape(add_n_shape)
      .doc("Computes the element-wise sum of the N tensors in `inputs`, which must have equal shapes.");
  kernels.add<AddNKernel>("AddN").where("T", any_of({kNumbers}));
  kernels.add<VariantAddNKernel>("AddN").where("T", {DType::kVariant});

  ops.op("AccumulateNV2")
      .input("inputs: N * T")
      .output("sum: T")
      .attr("N: int >= 1")
      .attr("T: numbertype")
      .attr("shape: shape")
      .commutative()
      .aggregate()
      .shape(shapes::explicit_shape)
      .doc("Computes the element-wise sum of the N tensors in `inputs`, which must have the shape `shape`.");
  kernels.add<AccumulateNKernel>("AccumulateNV2").where("T", any_of({kNumbers}));
}
