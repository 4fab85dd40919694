#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/loop_of.h"
#include "ops/nn/shared/conv_sizes.h"

namespace tinytf::ops {

namespace {

Status depthwise_shape(ShapeContext& c) { return conv_output_shape(c, 2, /*depthwise=*/true); }
Status depthwise_input_gradient_shape(ShapeContext& c) { return shape_from_sizes(c, 0, 4); }
Status depthwise_filter_gradient_shape(ShapeContext& c) { return shape_from_sizes(c, 1, 4); }

class DepthwiseKernelBase : public Kernel {
 protected:
  explicit DepthwiseKernelBase(KernelInit& init) {
    auto attrs = WindowAttrs::of_convolution(init.node(), 2);
    if (attrs.ok()) {
      attrs_ = attrs.take();
    } else {
      init.fail(attrs.status());
    }
  }

  static ImageSizes output_sizes(const kernels::DepthwiseShape& shape) {
    return window_output(shape.batch, shape.window, shape.channels * shape.multiplier, 2);
  }
  Status check_gradient(const char* label, const kernels::DepthwiseShape& shape, const Shape& input,
                        const Shape& out_backprop) const {
    return check_out_backprop(label, attrs_, image_sizes(input, attrs_), shape.window, output_sizes(shape),
                              out_backprop);
  }

  WindowAttrs attrs_;
};

class DepthwiseKernel final : public DepthwiseKernelBase {
 public:
  explicit DepthwiseKernel(KernelInit& init)
      : DepthwiseKernelBase(init), loop_(loop_of(init, kernels::table().conv.depthwise, init.input_type(0))) {}

  Status compute(KernelContext& ctx) override {
    kernels::DepthwiseShape shape;
    TINYTF_RETURN_IF_ERROR(depthwise_sizes(attrs_, ctx.input(0).shape(), ctx.input(1).shape(), &shape));
    TINYTF_ASSIGN_OR_RETURN(const Tensor input, channels_last(ctx, ctx.input(0), attrs_));
    ImageOutput output;
    TINYTF_RETURN_IF_ERROR(output.allocate(ctx, 0, output_sizes(shape), attrs_));
    if (!sums_nothing(input, ctx.input(1), output.target(), output.bytes())) {
      loop_(shape, input.raw(), ctx.input(1).raw(), output.target(), ctx.parallel());
    }
    output.finish(ctx);
    return Status();
  }

 private:
  kernels::ConvTable::Depthwise loop_;
};

class DepthwiseBackpropInputKernel final : public DepthwiseKernelBase {
 public:
  explicit DepthwiseBackpropInputKernel(KernelInit& init)
      : DepthwiseKernelBase(init),
        loop_(loop_of(init, kernels::table().conv.depthwise_backprop_input, init.input_type(1))) {}

  Status compute(KernelContext& ctx) override {
    constexpr const char* kLabel = "DepthwiseConv2DBackpropInput";
    TINYTF_ASSIGN_OR_RETURN(const Shape input, sizes_from(ctx.input(0), kLabel, "input_sizes", 4));
    kernels::DepthwiseShape shape;
    TINYTF_RETURN_IF_ERROR(depthwise_sizes(attrs_, input, ctx.input(1).shape(), &shape));
    TINYTF_RETURN_IF_ERROR(check_gradient(kLabel, shape, input, ctx.input(2).shape()));
    TINYTF_ASSIGN_OR_RETURN(const Tensor out_backprop, channels_last(ctx, ctx.input(2), attrs_));
    ImageOutput output;
    TINYTF_RETURN_IF_ERROR(output.allocate(ctx, 0, image_sizes(input, attrs_), attrs_));
    if (!sums_nothing(ctx.input(1), out_backprop, output.target(), output.bytes())) {
      loop_(shape, ctx.input(1).raw(), out_backprop.raw(), output.target(), ctx.parallel());
    }
    output.finish(ctx);
    return Status();
  }

 private:
  kernels::ConvTable::DepthwiseBackpropInput loop_;
};

class DepthwiseBackpropFilterKernel final : public DepthwiseKernelBase {
 public:
  explicit DepthwiseBackpropFilterKernel(KernelInit& init)
      : DepthwiseKernelBase(init),
        loop_(loop_of(init, kernels::table().conv.depthwise_backprop_filter, init.input_type(0))) {}

  Status compute(KernelContext& ctx) override {
    constexpr const char* kLabel = "DepthwiseConv2DBackpropFilter";
    TINYTF_ASSIGN_OR_RETURN(const Shape filter, sizes_from(ctx.input(1), kLabel, "filter_sizes", 4));
    const Shape& input_shape = ctx.input(0).shape();
    kernels::DepthwiseShape shape;
    TINYTF_RETURN_IF_ERROR(depthwise_sizes(attrs_, input_shape, filter, &shape));
    TINYTF_RETURN_IF_ERROR(check_gradient(kLabel, shape, input_shape, ctx.input(2).shape()));
    TINYTF_ASSIGN_OR_RETURN(const Tensor input, channels_last(ctx, ctx.input(0), attrs_));
    TINYTF_ASSIGN_OR_RETURN(const Tensor out_backprop, channels_last(ctx, ctx.input(2), attrs_));
    TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(0, filter));
    if (!sums_nothing(input, out_backprop, output->raw(), output->bytes())) {
      loop_(shape, input.raw(), out_backprop.raw(), output->raw(), ctx.parallel());
    }
    return Status();
  }

 private:
  kernels::ConvTable::DepthwiseBackpropFilter loop_;
};

void depthwise_attrs(OpDefBuilder& op) {
  op.attr("T: {half, bfloat16, float, double}")
      .attr("strides: list(int)")
      .attr("padding: {'SAME', 'VALID'}")
      .attr("data_format: {'NHWC', 'NCHW'} = 'NHWC'")
      .attr("dilations: list(int) = [1, 1, 1, 1]");
}

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(nn_depthwise_conv) {
  using namespace tinytf;
  using namespace tinytf::ops;

  OpDefBuilder forward = ops.op("DepthwiseConv2dNative").input("input: T").input("filter: T").output("output: T");
  depthwise_attrs(forward);
  forward.shape(depthwise_shape)
      .endpoint("nn.depthwise_conv2d_native")
      .doc(
          "Convolves each channel of the images `input` [batch, height, width, channels], or channels first by "
          "`data_format`, with filters of its own from `filter` [height, width, channels, multiplier]. Output channel "
          "`c * multiplier + q` is computed from input channel `c`.");
  kernels.add<DepthwiseKernel>("DepthwiseConv2dNative").where("T", kAllFloats);

  OpDefBuilder backprop_input = ops.op("DepthwiseConv2dNativeBackpropInput")
                                    .input("input_sizes: int32")
                                    .input("filter: T")
                                    .input("out_backprop: T")
                                    .output("output: T");
  depthwise_attrs(backprop_input);
  backprop_input.shape(depthwise_input_gradient_shape)
      .endpoint("nn.depthwise_conv2d_native_backprop_input")
      .endpoint("nn.depthwise_conv2d_backprop_input")
      .doc(
          "Computes the gradient of `DepthwiseConv2dNative` with respect to its input, whose shape is `input_sizes` "
          "[4].");
  kernels.add<DepthwiseBackpropInputKernel>("DepthwiseConv2dNativeBackpropInput").where("T", kAllFloats);

  OpDefBuilder backprop_filter = ops.op("DepthwiseConv2dNativeBackpropFilter")
                                     .input("input: T")
                                     .input("filter_sizes: int32")
                                     .input("out_backprop: T")
                                     .output("output: T");
  depthwise_attrs(backprop_filter);
  backprop_filter.shape(depthwise_filter_gradient_shape)
      .endpoint("nn.depthwise_conv2d_native_backprop_filter")
      .endpoint("nn.depthwise_conv2d_backprop_filter")
      .doc(
          "Computes the gradient of `DepthwiseConv2dNative` with respect to its filter, whose shape is `filter_sizes` "
          "[4].");
  kernels.add<DepthwiseBackpropFilterKernel>("DepthwiseConv2dNativeBackpropFilter").where("T", kAllFloats);
}
