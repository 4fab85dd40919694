#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/loop_of.h"
#include "ops/nn/shared/pool_sizes.h"

namespace tinytf::ops {

namespace {

/// The output has the shape of the pooled image, with which input 1 agrees.
template <int kAxes>
Status grad_grad_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(pool_output_shape(c, kAxes, /*may_pool_channels=*/kAxes == 2));
  TINYTF_RETURN_IF_ERROR(c.input(0).merge(c.input(2)).status());
  return c.output(0).merge(c.input(1)).status();
}

/// Picks the elements of `grad`, which has the shape of the pooling input, at the positions of the maxima.
template <int kAxes>
class MaxPoolGradGradKernel final : public PoolKernel {
 public:
  explicit MaxPoolGradGradKernel(KernelInit& init)
      : PoolKernel(init, kAxes), loop_(loop_of(init, kernels::table().pool.max_argmax, init.input_type(0))) {
    if (attrs_.size_channels != 1 || attrs_.stride_channels != 1) {
      init.fail(unimplemented("MaxPoolingGradGrad is not yet supported on the depth dimension."));
    }
  }

  Status compute(KernelContext& ctx) override {
    const Shape& input_shape = ctx.input(0).shape();
    TINYTF_RETURN_IF_ERROR(check_image_rank(attrs_, input_shape, "tensor_in"));
    kernels::PoolShape shape;
    TINYTF_RETURN_IF_ERROR(pool_sizes(attrs_, input_shape, &shape));
    const ImageSizes pooled = pooled_sizes(attrs_, shape);
    TINYTF_RETURN_IF_ERROR(check_pooled(attrs_, pooled, ctx.input(1).shape(), "tensor_out"));
    TINYTF_RETURN_IF_ERROR(
        check_pooled(attrs_, image_sizes(input_shape, attrs_), ctx.input(2).shape(), "out_grad_backprop"));
    TINYTF_ASSIGN_OR_RETURN(const Tensor input, channels_last(ctx, ctx.input(0), attrs_));
    TINYTF_ASSIGN_OR_RETURN(const Tensor grad, channels_last(ctx, ctx.input(2), attrs_));
    ImageOutput output;
    TINYTF_RETURN_IF_ERROR(output.allocate(ctx, 0, pooled, attrs_));
    TINYTF_ASSIGN_OR_RETURN(Tensor maxima, ctx.allocate(DType::kInt64, channels_last_shape(pooled, kAxes)));
    if (maxima.num_elements() == 0) return Status();
    loop_(shape, input.raw(), /*output=*/nullptr, maxima.data<int64_t>(), /*include_batch=*/true, ctx.parallel());
    kernels::table().gather.gather(
        grad.raw(), /*batch=*/1, /*outer=*/1, grad.num_elements(), static_cast<int64_t>(dtype_size(grad.dtype())),
        {maxima.raw(), DType::kInt64, maxima.num_elements()}, output.target(), ctx.parallel());
    output.finish(ctx);
    return Status();
  }

 private:
  kernels::PoolTable::MaxArgmax loop_;
};

void declare(OpDefBuilder op, int rank, const char* formats, const char* types, ShapeFn shape, const char* pooling) {
  op.input("orig_input: T")
      .input("orig_output: T")
      .input("grad: T")
      .output("output: T")
      .attr(str_cat("ksize: list(int) >= ", rank))
      .attr(str_cat("strides: list(int) >= ", rank))
      .attr("padding: {'SAME', 'VALID'}")
      .attr(str_cat("data_format: ", formats))
      .attr(types)
      .shape(shape)
      .doc(str_cat("Computes the second gradient of `", pooling,
                   "`: for each window it returns the element of `grad`, which has the shape of `orig_input`, at the "
                   "position of the first largest element."));
}

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(nn_max_pool_grad_grad) {
  using namespace tinytf;
  using namespace tinytf::ops;

  declare(ops.op("MaxPoolGradGrad"), 4, "{'NHWC', 'NCHW'} = 'NHWC'", "T: realnumbertype", grad_grad_shape<2>,
          "MaxPool");
  kernels.add<MaxPoolGradGradKernel<2>>("MaxPoolGradGrad").where("T", kReals);
  declare(ops.op("MaxPool3DGradGrad"), 5, "{'NDHWC', 'NCDHW'} = 'NDHWC'", "T: realnumbertype", grad_grad_shape<3>,
          "MaxPool3D");
  kernels.add<MaxPoolGradGradKernel<3>>("MaxPool3DGradGrad").where("T", kReals);
}
