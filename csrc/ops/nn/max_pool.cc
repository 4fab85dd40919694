#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/loop_of.h"
#include "ops/nn/shared/pool_sizes.h"

namespace tinytf::ops {

namespace {

template <int kAxes>
Status max_pool_shape(ShapeContext& c) {
  return pool_output_shape(c, kAxes, /*may_pool_channels=*/kAxes == 2);
}

/// The gradient has the shape of the forward op's input, which is input 0.
template <int kAxes>
Status max_pool_grad_shape(ShapeContext& c) {
  PartialShape input;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, kAxes + 2, &input));
  c.set_output(0, std::move(input));
  return Status();
}

template <int kAxes>
class MaxPoolKernel final : public PoolKernel {
 public:
  explicit MaxPoolKernel(KernelInit& init)
      : PoolKernel(init, kAxes), loop_(loop_of(init, kernels::table().pool.max, init.input_type(0))) {
    if (attrs_.size_channels == 1 && attrs_.stride_channels == 1) return;
    if (attrs_.format.channels_first || kAxes != 2) {
      init.fail(unimplemented("Pooling across the depth dimension needs the NHWC format."));
    } else if (attrs_.size[0] != 1 || attrs_.size[1] != 1) {
      init.fail(
          unimplemented("MaxPooling supports exactly one of pooling across depth or pooling across width/height."));
    } else if (attrs_.size_channels != attrs_.stride_channels) {
      init.fail(unimplemented("Depthwise max pooling requires the depth window to equal the depth stride."));
    }
  }

  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(check_image_rank(attrs_, ctx.input(0).shape(), "tensor_in"));
    if (attrs_.size_channels > 1) return across_depth(ctx);
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
  /// Pools groups of adjacent channels, as windows along the single axis of a one-channel image.
  Status across_depth(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    const int64_t depth = input.dim(3);
    const int64_t size = attrs_.size_channels;
    if (depth % size != 0) {
      return unimplemented("Depthwise max pooling requires the depth window to evenly divide the input depth");
    }
    Shape shape = input.shape();
    shape.set_dim(3, depth / size);
    TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(0, shape));
    kernels::PoolShape groups;
    groups.batch = 1;
    groups.channels = 1;
    groups.window.in[kernels::kWidth] = input.num_elements();
    groups.window.out[kernels::kWidth] = shape.num_elements();
    groups.window.size[kernels::kWidth] = size;
    groups.window.stride[kernels::kWidth] = size;
    if (input.num_elements() != 0) loop_(groups, input.raw(), output->raw(), ctx.parallel());
    return Status();
  }

  kernels::PoolTable::Max loop_;
};

/// Base of the gradient kernels. They differ in which elements get the gradient if several elements of a window are the
/// largest.
template <int kAxes, class Derived>
class MaxPoolGradKernelBase : public PoolKernel {
 public:
  explicit MaxPoolGradKernelBase(KernelInit& init) : PoolKernel(init, kAxes) {
    if (attrs_.size_channels != 1 || attrs_.stride_channels != 1) {
      init.fail(unimplemented("MaxPoolingGrad is not yet supported on the depth dimension."));
    }
  }

  Status compute(KernelContext& ctx) override {
    const Shape& input_shape = ctx.input(0).shape();
    TINYTF_RETURN_IF_ERROR(check_image_rank(attrs_, input_shape, "tensor_in"));
    kernels::PoolShape shape;
    TINYTF_RETURN_IF_ERROR(pool_sizes(attrs_, input_shape, &shape));
    const ImageSizes pooled = pooled_sizes(attrs_, shape);
    TINYTF_RETURN_IF_ERROR(check_pooled(attrs_, pooled, ctx.input(1).shape(), "tensor_out"));
    TINYTF_RETURN_IF_ERROR(check_pooled(attrs_, pooled, ctx.input(2).shape(), "out_backprop"));
    ImageOutput output;
    TINYTF_RETURN_IF_ERROR(output.allocate(ctx, 0, image_sizes(input_shape, attrs_), attrs_));
    if (output.bytes() != 0) TINYTF_RETURN_IF_ERROR(static_cast<Derived*>(this)->fill(ctx, shape, output.target()));
    output.finish(ctx);
    return Status();
  }
};

/// Passes the gradient to the first largest element of each window, regardless of `orig_output`.
class MaxPoolGradKernel final : public MaxPoolGradKernelBase<2, MaxPoolGradKernel> {
 public:
  explicit MaxPoolGradKernel(KernelInit& init)
      : MaxPoolGradKernelBase(init), loop_(loop_of(init, kernels::table().pool.max_grad, init.input_type(0))) {}

  Status fill(KernelContext& ctx, const kernels::PoolShape& shape, void* target) const {
    TINYTF_ASSIGN_OR_RETURN(const Tensor input, channels_last(ctx, ctx.input(0), attrs_));
    TINYTF_ASSIGN_OR_RETURN(const Tensor out_backprop, channels_last(ctx, ctx.input(2), attrs_));
    loop_(shape, input.raw(), out_backprop.raw(), target, ctx.parallel());
    return Status();
  }

 private:
  kernels::PoolTable::MaxGrad loop_;
};

/// Passes the gradient to all elements of a window that equal `orig_output`, as TensorFlow does in three dimensions.
class MaxPool3DGradKernel final : public MaxPoolGradKernelBase<3, MaxPool3DGradKernel> {
 public:
  explicit MaxPool3DGradKernel(KernelInit& init)
      : MaxPoolGradKernelBase(init), loop_(loop_of(init, kernels::table().pool.max_grad_equal, init.input_type(0))) {}

  Status fill(KernelContext& ctx, const kernels::PoolShape& shape, void* target) const {
    TINYTF_ASSIGN_OR_RETURN(const Tensor input, channels_last(ctx, ctx.input(0), attrs_));
    TINYTF_ASSIGN_OR_RETURN(const Tensor output, channels_last(ctx, ctx.input(1), attrs_));
    TINYTF_ASSIGN_OR_RETURN(const Tensor out_backprop, channels_last(ctx, ctx.input(2), attrs_));
    loop_(shape, input.raw(), output.raw(), out_backprop.raw(), target, ctx.parallel());
    return Status();
  }

 private:
  kernels::PoolTable::MaxGradEqual loop_;
};

void max_pool_attrs(OpDefBuilder& op, int rank, const char* formats) {
  op.attr(str_cat("ksize: list(int) >= ", rank))
      .attr(str_cat("strides: list(int) >= ", rank))
      .attr("padding: {'SAME', 'VALID'}")
      .attr(str_cat("data_format: ", formats));
}

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(nn_max_pool) {
  using namespace tinytf;
  using namespace tinytf::ops;

  OpDefBuilder pool = ops.op("MaxPool").input("input: T").output("output: T");
  pool.attr("T: {half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8} = DT_FLOAT");
  max_pool_attrs(pool, 4, "{'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'");
  pool.shape(max_pool_shape<2>)
      .doc(
          "Computes the maximum of each window of the images `input` [batch, height, width, channels], or channels "
          "first by `data_format`. Padding is ignored. `ksize` and `strides` have one entry per dimension; windows may "
          "also extend over channels only.");
  kernels.add<MaxPoolKernel<2>>("MaxPool").where("T", kReals);

  OpDefBuilder grad =
      ops.op("MaxPoolGrad").input("orig_input: T").input("orig_output: T").input("grad: T").output("output: T");
  max_pool_attrs(grad, 4, "{'NHWC', 'NCHW'} = 'NHWC'");
  grad.attr("T: realnumbertype = DT_FLOAT")
      .shape(max_pool_grad_shape<2>)
      .doc(
          "Computes the gradient of `MaxPool`: adds each element of `grad` to the first largest element of its "
          "window.");
  kernels.add<MaxPoolGradKernel>("MaxPoolGrad").where("T", kReals);

  OpDefBuilder pool3d = ops.op("MaxPool3D").input("input: T").output("output: T");
  max_pool_attrs(pool3d, 5, "{'NDHWC', 'NCDHW'} = 'NDHWC'");
  pool3d.attr("T: {half, bfloat16, float}")
      .shape(max_pool_shape<3>)
      .doc(
          "Computes the maximum of each window of the volumes `input` [batch, depth, height, width, channels], or "
          "channels first by `data_format`.");
  kernels.add<MaxPoolKernel<3>>("MaxPool3D").where("T", {DType::kHalf, DType::kBfloat16, DType::kFloat});

  OpDefBuilder grad3d = ops.op("MaxPool3DGrad")
                            .input("orig_input: TInput")
                            .input("orig_output: TInput")
                            .input("grad: T")
                            .output("output: T");
  max_pool_attrs(grad3d, 5, "{'NDHWC', 'NCDHW'} = 'NDHWC'");
  grad3d.attr("T: {half, bfloat16, float} = DT_FLOAT")
      .attr("TInput: {half, bfloat16, float} = DT_FLOAT")
      .shape(max_pool_grad_shape<3>)
      .doc(
          "Computes the gradient of `MaxPool3D`: adds each element of `grad` to all elements of its window that equal "
          "`orig_output`.");
  for (const DType dtype : {DType::kHalf, DType::kBfloat16, DType::kFloat}) {
    kernels.add<MaxPool3DGradKernel>("MaxPool3DGrad").where("T", {dtype}).where("TInput", {dtype});
  }
}
