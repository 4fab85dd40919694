#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/loop_of.h"
#include "ops/nn/shared/conv_sizes.h"

namespace tinytf::ops {

namespace {

template <int kAxes>
Status conv_shape(ShapeContext& c) {
  return conv_output_shape(c, kAxes, /*depthwise=*/false);
}
template <int kAxes>
Status backprop_input_shape(ShapeContext& c) {
  return shape_from_sizes(c, 0, kAxes + 2);
}
template <int kAxes>
Status backprop_filter_shape(ShapeContext& c) {
  return shape_from_sizes(c, 1, kAxes + 2);
}

/// Attrs and loops that the three convolution kernels share.
template <int kAxes>
class ConvKernelBase : public Kernel {
 protected:
  explicit ConvKernelBase(KernelInit& init) {
    auto attrs = WindowAttrs::of_convolution(init.node(), kAxes);
    if (attrs.ok()) {
      attrs_ = attrs.take();
    } else {
      init.fail(attrs.status());
    }
  }

  ImageSizes output_sizes(const kernels::ConvShape& shape) const {
    return window_output(shape.batch, shape.window, shape.out_channels, kAxes);
  }
  Status check_gradient(const char* label, const kernels::ConvShape& shape, const Shape& input,
                        const Shape& out_backprop) const {
    return check_out_backprop(label, attrs_, image_sizes(input, attrs_), shape.window, output_sizes(shape),
                              out_backprop);
  }

  WindowAttrs attrs_;
};

template <int kAxes>
class ConvKernel final : public ConvKernelBase<kAxes> {
 public:
  explicit ConvKernel(KernelInit& init)
      : ConvKernelBase<kAxes>(init), loop_(loop_of(init, kernels::table().conv.forward, init.input_type(0))) {}

  Status compute(KernelContext& ctx) override {
    kernels::ConvShape shape;
    TINYTF_RETURN_IF_ERROR(conv_sizes(this->attrs_, ctx.input(0).shape(), ctx.input(1).shape(), &shape));
    TINYTF_ASSIGN_OR_RETURN(const Tensor input, channels_last(ctx, ctx.input(0), this->attrs_));
    ImageOutput output;
    TINYTF_RETURN_IF_ERROR(output.allocate(ctx, 0, this->output_sizes(shape), this->attrs_));
    if (!sums_nothing(input, ctx.input(1), output.target(), output.bytes())) {
      loop_(shape, input.raw(), ctx.input(1).raw(), output.target(), {}, ctx.parallel());
    }
    output.finish(ctx);
    return Status();
  }

 private:
  kernels::ConvTable::Forward loop_;
};

template <int kAxes>
class ConvBackpropInputKernel final : public ConvKernelBase<kAxes> {
 public:
  explicit ConvBackpropInputKernel(KernelInit& init)
      : ConvKernelBase<kAxes>(init), loop_(loop_of(init, kernels::table().conv.backprop_input, init.input_type(1))) {}

  Status compute(KernelContext& ctx) override {
    constexpr const char* kLabel = kAxes == 2 ? "Conv2DBackpropInput" : "Conv3DBackpropInputOp";
    const Tensor& filter = ctx.input(1);
    TINYTF_ASSIGN_OR_RETURN(const Shape input, sizes_from(ctx.input(0), kLabel, "input_sizes", kAxes + 2));
    kernels::ConvShape shape;
    TINYTF_RETURN_IF_ERROR(conv_sizes(this->attrs_, input, filter.shape(), &shape));
    TINYTF_RETURN_IF_ERROR(this->check_gradient(kLabel, shape, input, ctx.input(2).shape()));
    TINYTF_ASSIGN_OR_RETURN(const Tensor out_backprop, channels_last(ctx, ctx.input(2), this->attrs_));
    ImageOutput output;
    TINYTF_RETURN_IF_ERROR(output.allocate(ctx, 0, image_sizes(input, this->attrs_), this->attrs_));
    if (!sums_nothing(filter, out_backprop, output.target(), output.bytes())) {
      loop_(shape, filter.raw(), out_backprop.raw(), output.target(), ctx.parallel());
    }
    output.finish(ctx);
    return Status();
  }

 private:
  kernels::ConvTable::BackpropInput loop_;
};

template <int kAxes>
class ConvBackpropFilterKernel final : public ConvKernelBase<kAxes> {
 public:
  explicit ConvBackpropFilterKernel(KernelInit& init)
      : ConvKernelBase<kAxes>(init), loop_(loop_of(init, kernels::table().conv.backprop_filter, init.input_type(0))) {}

  Status compute(KernelContext& ctx) override {
    constexpr const char* kLabel = kAxes == 2 ? "Conv2DBackpropFilter" : "Conv3DBackpropFilterOp";
    TINYTF_ASSIGN_OR_RETURN(const Shape filter, sizes_from(ctx.input(1), kLabel, "filter_sizes", kAxes + 2));
    const Shape& input_shape = ctx.input(0).shape();
    kernels::ConvShape shape;
    TINYTF_RETURN_IF_ERROR(conv_sizes(this->attrs_, input_shape, filter, &shape));
    TINYTF_RETURN_IF_ERROR(this->check_gradient(kLabel, shape, input_shape, ctx.input(2).shape()));
    TINYTF_ASSIGN_OR_RETURN(const Tensor input, channels_last(ctx, ctx.input(0), this->attrs_));
    TINYTF_ASSIGN_OR_RETURN(const Tensor out_backprop, channels_last(ctx, ctx.input(2), this->attrs_));
    TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(0, filter));
    if (!sums_nothing(input, out_backprop, output->raw(), output->bytes())) {
      loop_(shape, input.raw(), out_backprop.raw(), output->raw(), ctx.parallel());
    }
    return Status();
  }

 private:
  kernels::ConvTable::BackpropFilter loop_;
};

/// Declares the attrs of all two-dimensional convolutions.
void conv2d_attrs(OpDefBuilder& op) {
  op.attr("T: {half, bfloat16, float, double}")
      .attr("strides: list(int)")
      .attr("use_cudnn_on_gpu: bool = true")
      .attr("padding: {'SAME', 'VALID', 'EXPLICIT'}")
      .attr("explicit_paddings: list(int) = []")
      .attr("data_format: {'NHWC', 'NCHW'} = 'NHWC'")
      .attr("dilations: list(int) = [1, 1, 1, 1]");
}

void conv3d_attrs(OpDefBuilder& op) {
  op.attr("T: {half, bfloat16, float, double}")
      .attr("strides: list(int) >= 5")
      .attr("padding: {'SAME', 'VALID'}")
      .attr("data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'")
      .attr("dilations: list(int) = [1, 1, 1, 1, 1]");
}

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(nn_conv) {
  using namespace tinytf;
  using namespace tinytf::ops;

  OpDefBuilder conv2d = ops.op("Conv2D").input("input: T").input("filter: T").output("output: T");
  conv2d_attrs(conv2d);
  conv2d.shape(conv_shape<2>)
      .doc(
          "Computes the cross-correlation of the images `input` [batch, height, width, in], or channels first by "
          "`data_format`, with `filter` [height, width, in, out]. `strides` and `dilations` have one entry per "
          "dimension, which is 1 for batch and channels; `explicit_paddings` has a pair of entries per dimension.");
  kernels.add<ConvKernel<2>>("Conv2D").where("T", kAllFloats);

  OpDefBuilder backprop_input = ops.op("Conv2DBackpropInput")
                                    .input("input_sizes: int32")
                                    .input("filter: T")
                                    .input("out_backprop: T")
                                    .output("output: T");
  conv2d_attrs(backprop_input);
  backprop_input.shape(backprop_input_shape<2>)
      .doc(
          "Computes the gradient of `Conv2D` with respect to its input, whose shape is `input_sizes` [4]. It is also "
          "the transposed convolution of `out_backprop` with `filter`.");
  kernels.add<ConvBackpropInputKernel<2>>("Conv2DBackpropInput").where("T", kAllFloats);

  OpDefBuilder backprop_filter = ops.op("Conv2DBackpropFilter")
                                     .input("input: T")
                                     .input("filter_sizes: int32")
                                     .input("out_backprop: T")
                                     .output("output: T");
  conv2d_attrs(backprop_filter);
  backprop_filter.shape(backprop_filter_shape<2>)
      .doc("Computes the gradient of `Conv2D` with respect to its filter, whose shape is `filter_sizes` [4].");
  kernels.add<ConvBackpropFilterKernel<2>>("Conv2DBackpropFilter").where("T", kAllFloats);

  OpDefBuilder conv3d = ops.op("Conv3D").input("input: T").input("filter: T").output("output: T");
  conv3d_attrs(conv3d);
  conv3d.shape(conv_shape<3>)
      .doc(
          "Computes the cross-correlation of the volumes `input` [batch, depth, height, width, in], or channels first "
          "by `data_format`, with `filter` [depth, height, width, in, out].");
  kernels.add<ConvKernel<3>>("Conv3D").where("T", kAllFloats);

  OpDefBuilder backprop_input3d = ops.op("Conv3DBackpropInputV2")
                                      .input("input_sizes: Tshape")
                                      .input("filter: T")
                                      .input("out_backprop: T")
                                      .output("output: T");
  conv3d_attrs(backprop_input3d);
  backprop_input3d.attr("Tshape: {int32, int64} = DT_INT32")
      .shape(backprop_input_shape<3>)
      .doc(
          "Computes the gradient of `Conv3D` with respect to its input, whose shape is `input_sizes` [5]. It is also "
          "the transposed convolution of `out_backprop` with `filter`.");
  kernels.add<ConvBackpropInputKernel<3>>("Conv3DBackpropInputV2").where("T", kAllFloats);

  OpDefBuilder backprop_filter3d = ops.op("Conv3DBackpropFilterV2")
                                       .input("input: T")
                                       .input("filter_sizes: int32")
                                       .input("out_backprop: T")
                                       .output("output: T");
  conv3d_attrs(backprop_filter3d);
  backprop_filter3d.shape(backprop_filter_shape<3>)
      .endpoint("nn.conv3d_backprop_filter")
      .endpoint("nn.conv3d_backprop_filter_v2")
      .doc("Computes the gradient of `Conv3D` with respect to its filter, whose shape is `filter_sizes` [5].");
  kernels.add<ConvBackpropFilterKernel<3>>("Conv3DBackpropFilterV2").where("T", kAllFloats);
}
