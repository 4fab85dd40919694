#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/loop_of.h"
#include "ops/nn/shared/pool_sizes.h"

namespace tinytf::ops {

namespace {

template <int kAxes>
Status avg_pool_shape(ShapeContext& c) {
  return pool_output_shape(c, kAxes, /*may_pool_channels=*/false);
}

template <int kAxes>
Status avg_pool_grad_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 1));
  TINYTF_ASSIGN_OR_RETURN(PartialShape shape, c.input_as_shape(0).merge(PartialShape::unknown_of_rank(kAxes + 2)));
  c.set_output(0, std::move(shape));
  return Status();
}

class AvgPoolKernelBase : public PoolKernel {
 protected:
  AvgPoolKernelBase(KernelInit& init, int axes) : PoolKernel(init, axes) {
    if (attrs_.size_channels != 1 || attrs_.stride_channels != 1) {
      init.fail(unimplemented("Non-spatial pooling is not yet supported. Volunteers? :)"));
    }
  }
};

template <int kAxes>
class AvgPoolKernel final : public AvgPoolKernelBase {
 public:
  explicit AvgPoolKernel(KernelInit& init)
      : AvgPoolKernelBase(init, kAxes), loop_(loop_of(init, kernels::table().pool.average, init.input_type(0))) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(check_image_rank(attrs_, ctx.input(0).shape(), "tensor_in"));
    kernels::PoolShape shape;
    TINYTF_RETURN_IF_ERROR(pool_sizes(attrs_, ctx.input(0).shape(), &shape));
    TINYTF_ASSIGN_OR_RETURN(const Tensor input, channels_last(ctx, ctx.input(0), attrs_));
    ImageOutput output;
    TINYTF_RETURN_IF_ERROR(output.allocate(ctx, 0, pooled_sizes(attrs_, shape), attrs_));
    if (input.num_elements() != 0) loop_(shape, input.raw(), output.target(), ctx.parallel());
    output.finish(ctx);
    return Status();
  }

 private:
  kernels::PoolTable::Average loop_;
};

template <int kAxes>
class AvgPoolGradKernel final : public AvgPoolKernelBase {
 public:
  explicit AvgPoolGradKernel(KernelInit& init)
      : AvgPoolKernelBase(init, kAxes), loop_(loop_of(init, kernels::table().pool.average_grad, init.input_type(1))) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& sizes = ctx.input(0);
    if (sizes.rank() != 1 || sizes.num_elements() != attrs_.rank()) {
      return invalid_argument("out_backprop must be 1-dimensional and ", attrs_.rank(), " elements");
    }
    TINYTF_ASSIGN_OR_RETURN(const Shape input, sizes_from(sizes, "AvgPoolGrad", "orig_input_shape", attrs_.rank()));
    kernels::PoolShape shape;
    TINYTF_RETURN_IF_ERROR(pool_sizes(attrs_, input, &shape));
    TINYTF_RETURN_IF_ERROR(check_pooled(attrs_, pooled_sizes(attrs_, shape), ctx.input(1).shape(), "out_backprop"));
    TINYTF_ASSIGN_OR_RETURN(const Tensor out_backprop, channels_last(ctx, ctx.input(1), attrs_));
    ImageOutput output;
    TINYTF_RETURN_IF_ERROR(output.allocate(ctx, 0, image_sizes(input, attrs_), attrs_));
    if (output.bytes() != 0) loop_(shape, out_backprop.raw(), output.target(), ctx.parallel());
    output.finish(ctx);
    return Status();
  }

 private:
  kernels::PoolTable::AverageGrad loop_;
};

void avg_pool_attrs(OpDefBuilder& op, int rank, const char* formats) {
  op.attr(str_cat("ksize: list(int) >= ", rank))
      .attr(str_cat("strides: list(int) >= ", rank))
      .attr("padding: {'SAME', 'VALID'}")
      .attr(str_cat("data_format: ", formats))
      .attr("T: {half, bfloat16, float, double}");
}

constexpr const char* kFormats2D = "{'NHWC', 'NCHW'} = 'NHWC'";
constexpr const char* kFormats3D = "{'NDHWC', 'NCDHW'} = 'NDHWC'";

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(nn_avg_pool) {
  using namespace tinytf;
  using namespace tinytf::ops;

  OpDefBuilder pool = ops.op("AvgPool").input("value: T").output("output: T");
  avg_pool_attrs(pool, 4, kFormats2D);
  pool.shape(avg_pool_shape<2>)
      .doc(
          "Computes the mean of each window of the images `value` [batch, height, width, channels], or channels first "
          "by `data_format`. Padding is not counted. `ksize` and `strides` have one entry per dimension.");
  kernels.add<AvgPoolKernel<2>>("AvgPool").where("T", kAllFloats);

  OpDefBuilder grad = ops.op("AvgPoolGrad").input("orig_input_shape: int32").input("grad: T").output("output: T");
  avg_pool_attrs(grad, 4, kFormats2D);
  grad.shape(avg_pool_grad_shape<2>)
      .doc(
          "Computes the gradient of `AvgPool` with respect to its input, whose shape is `orig_input_shape` [4], from "
          "the gradient `grad` of its output.");
  kernels.add<AvgPoolGradKernel<2>>("AvgPoolGrad").where("T", kAllFloats);

  OpDefBuilder pool3d = ops.op("AvgPool3D").input("input: T").output("output: T");
  avg_pool_attrs(pool3d, 5, kFormats3D);
  pool3d.shape(avg_pool_shape<3>)
      .doc(
          "Computes the mean of each window of the volumes `input` [batch, depth, height, width, channels], or "
          "channels first by `data_format`. Padding is not counted.");
  kernels.add<AvgPoolKernel<3>>("AvgPool3D").where("T", kAllFloats);

  OpDefBuilder grad3d = ops.op("AvgPool3DGrad").input("orig_input_shape: int32").input("grad: T").output("output: T");
  avg_pool_attrs(grad3d, 5, kFormats3D);
  grad3d.shape(avg_pool_grad_shape<3>)
      .doc(
          "Computes the gradient of `AvgPool3D` with respect to its input, whose shape is `orig_input_shape` [5], from "
          "the gradient `grad` of its output.");
  kernels.add<AvgPoolGradKernel<3>>("AvgPool3DGrad").where("T", kAllFloats);
}
