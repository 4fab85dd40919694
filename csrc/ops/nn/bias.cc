#include "ops/loop_of.h"
#include "ops/math/shared/elementwise.h"

namespace tinytf::ops {

namespace {

/// A tensor viewed as [outer, channels, inner], which hides the data format.
struct ChannelView {
  int axis = 0;
  int64_t outer = 1;
  int64_t channels = 1;
  int64_t inner = 1;
};

ChannelView channel_view(const Shape& shape, bool channels_first) {
  ChannelView view;
  view.axis = channels_first ? 1 : shape.rank() - 1;
  view.outer = shape.product(0, view.axis);
  view.channels = shape.dim(view.axis);
  view.inner = shape.product(view.axis + 1, shape.rank());
  return view;
}

bool channels_first(const KernelInit& init) { return *init.node().attrs.get<std::string>("data_format") == "NCHW"; }

int channel_axis(const ShapeContext& c, const PartialShape& value) {
  return c.attr<std::string>("data_format") == "NCHW" ? 1 : value.rank() - 1;
}

/// Images whose channels come first have at least one more dimension; kernels take less.
int least_rank(const ShapeContext& c) { return c.attr<std::string>("data_format") == "NCHW" ? 3 : 2; }

Status bias_add_shape(ShapeContext& c) {
  PartialShape value;
  PartialShape bias;
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, least_rank(c), &value));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1, &bias));
  if (value.known_rank()) {
    const int axis = channel_axis(c, value);
    TINYTF_ASSIGN_OR_RETURN(const int64_t channels, merge_dims(value.dim(axis), bias.dim(0)));
    value.set_dim(axis, channels);
  }
  c.set_output(0, std::move(value));
  return Status();
}

Status bias_add_grad_shape(ShapeContext& c) {
  PartialShape value;
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, least_rank(c), &value));
  c.set_output(0, PartialShape::vector(value.known_rank() ? value.dim(channel_axis(c, value)) : kUnknownDim));
  return Status();
}

Status check_rank(const Tensor& value) {
  if (value.rank() >= 2) return Status();
  return invalid_argument("Input tensor must be at least 2D: ", value.shape().to_string());
}

/// Up to this number of rows, if they are cheap, the loop runs on each row without a broadcast plan.
constexpr int64_t kFewRows = 8;

class BiasAddKernel final : public Kernel {
 public:
  explicit BiasAddKernel(KernelInit& init)
      : add_(loop_of(init, kernels::table().elementwise.binary[static_cast<int>(kernels::Binary::kAdd)],
                     init.input_type(0))),
        channels_first_(channels_first(init)) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& value = ctx.input(0);
    const Tensor& bias = ctx.input(1);
    TINYTF_RETURN_IF_ERROR(check_rank(value));
    if (bias.rank() != 1) return invalid_argument("Biases must be 1D: ", bias.shape().to_string());
    const ChannelView view = channel_view(value.shape(), channels_first_);
    if (bias.dim(0) != view.channels) {
      return invalid_argument("Must provide as many biases as the ", channels_first_ ? "channel" : "last",
                              " dimension of the input tensor: ", bias.shape().to_string(), " vs. ",
                              value.shape().to_string());
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.forward_or_allocate(0, 0, value.shape()));
    if (view.outer <= kFewRows && view.inner == 1 &&
        static_cast<float>(value.num_elements()) * add_.cost <= kInlineCost) {
      const char* in = static_cast<const char*>(value.raw());
      char* to = static_cast<char*>(out->raw());
      const int64_t bytes = view.channels * add_.in_size;
      for (int64_t row = 0; row < view.outer; ++row) {
        add_.both(in + row * bytes, bias.raw(), to + row * bytes, view.channels);
      }
      return Status();
    }
    const int64_t value_dims[] = {view.outer, view.channels, view.inner};
    const int64_t bias_dims[] = {view.channels, 1};
    const int without_inner = channels_first_ ? 0 : 1;
    const kernels::ShapeRef operands[] = {{value_dims, 3 - without_inner}, {bias_dims, 2 - without_inner}};
    kernels::BroadcastPlan plan;
    kernels::make_broadcast_plan(operands, 2, &plan);
    kernels::run_binary(add_, plan, value.raw(), bias.raw(), out->raw(), ctx.parallel());
    return Status();
  }

 private:
  const kernels::BinaryLoop add_;
  bool channels_first_;
};

class BiasAddGradKernel final : public Kernel {
 public:
  explicit BiasAddGradKernel(KernelInit& init)
      : sum_(loop_of(init, kernels::table().reduce.loops[static_cast<int>(kernels::Reduction::kSum)],
                     init.input_type(0))),
        channels_first_(channels_first(init)) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& gradient = ctx.input(0);
    TINYTF_RETURN_IF_ERROR(check_rank(gradient));
    const ChannelView view = channel_view(gradient.shape(), channels_first_);
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape({view.channels})));
    const int64_t dims[] = {view.outer, view.channels, view.inner};
    kernels::ReducePlan plan;
    kernels::make_reduce_plan(dims, 3, /*axes=*/0b101, &plan);
    kernels::run_reduce(sum_, plan, gradient.raw(), out->raw(), ctx.parallel());
    return Status();
  }

 private:
  const kernels::ReduceLoop sum_;
  bool channels_first_;
};

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(nn_bias) {
  using namespace tinytf::ops;

  ops.op("BiasAdd")
      .input("value: T")
      .input("bias: T")
      .output("output: T")
      .attr("T: numbertype")
      .attr("data_format: {'NHWC', 'NCHW'} = 'NHWC'")
      .shape(bias_add_shape)
      .doc(
          "Adds `bias` [channels] to `value`, whose channels are the last dimension (`NHWC`) or dimension 1 (`NCHW`).");
  kernels.add<BiasAddKernel>("BiasAdd").where("T", kNumbers);

  ops.op("BiasAddGrad")
      .input("out_backprop: T")
      .output("output: T")
      .attr("T: numbertype")
      .attr("data_format: {'NHWC', 'NCHW'} = 'NHWC'")
      .shape(bias_add_grad_shape)
      .doc(
          "Computes the gradient of `BiasAdd` with respect to the bias: the sum of `out_backprop` over all dimensions "
          "except the channels.");
  kernels.add<BiasAddGradKernel>("BiasAddGrad").where("T", kNumbers);
}
