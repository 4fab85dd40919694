#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/loop_of.h"
#include "ops/rnn/shared/lstm_inputs.h"

namespace tinytf::ops {

namespace {

Status lstm_cell_shape(ShapeContext& c) {
  PartialShape x, cs_prev;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 2, &x));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 2, &cs_prev));
  for (int i = 0; i < 7; ++i) c.set_output(i, PartialShape::matrix(x.dim(0), cs_prev.dim(1)));
  return Status();
}

Status lstm_cell_grad_shape(ShapeContext& c) {
  PartialShape x, cs_prev;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 2, &x));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 2, &cs_prev));
  const int64_t units = cs_prev.dim(1);
  int64_t gates = kUnknownDim;
  if (units != kUnknownDim) {
    const Size product = Size(units) * 4;
    if (!product.ok())
      return invalid_argument("Negative dimension size from overflow when multiplying ", units, " and 4");
    gates = product.value();
  }
  c.set_output(0, PartialShape::matrix(x.dim(0), units));
  c.set_output(1, PartialShape::matrix(x.dim(0), gates));
  for (int i = 2; i < 5; ++i) c.set_output(i, PartialShape::vector(units));
  return Status();
}

class LstmCellKernel final : public Kernel {
 public:
  explicit LstmCellKernel(KernelInit& init)
      : run_(loop_of(init, kernels::table().recurrent.lstm, init.input_type(0))),
        forget_bias_(init.attr<float>("forget_bias")),
        clip_(init.attr<float>("cell_clip")),
        sees_(init.attr<bool>("use_peephole")) {}

  Status compute(KernelContext& ctx) override {
    kernels::LstmForward net;
    TINYTF_ASSIGN_OR_RETURN(net.sizes, lstm_sizes(ctx, 0, /*is_sequence=*/false));
    net.x = ctx.input(0).raw();
    net.cs_before = ctx.input(1).raw();
    net.h_before = ctx.input(2).raw();
    net.weights = lstm_weights(ctx, 0, sees_, kernels::GateOrder::kNewSecond);
    net.bias = ctx.input(7).raw();
    net.forget_bias = forget_bias_;
    net.clip = clip_;
    void* values[7];
    for (int i = 0; i < 7; ++i) {
      TINYTF_ASSIGN_OR_RETURN(Tensor * value, ctx.allocate_output(i, Shape{net.sizes.batch, net.sizes.units}));
      values[i] = value->raw();
    }
    net.values = lstm_values(values);
    run_(net, ctx.parallel());
    return Status();
  }

 private:
  void (*const run_)(const kernels::LstmForward&, Parallel&);
  const float forget_bias_, clip_;
  const bool sees_;
};

class LstmCellGradKernel final : public Kernel {
 public:
  explicit LstmCellGradKernel(KernelInit& init)
      : run_(loop_of(init, kernels::table().recurrent.lstm_cell_gradient, init.input_type(0))),
        sees_(init.attr<bool>("use_peephole")) {}

  Status compute(KernelContext& ctx) override {
    kernels::LstmCellGradient g;
    TINYTF_ASSIGN_OR_RETURN(g.sizes, lstm_sizes(ctx, 0, /*is_sequence=*/false));
    const auto [steps, batch, inputs, units] = g.sizes;
    const void* values[7] = {};
    for (int i = 0; i < 6; ++i) {
      TINYTF_RETURN_IF_ERROR(check_state(ctx.input(8 + i), kLstmValues[i], batch, units));
      values[i] = ctx.input(8 + i).raw();
    }
    TINYTF_RETURN_IF_ERROR(check_state(ctx.input(14), "cs_grad_tensor", batch, units));
    TINYTF_RETURN_IF_ERROR(check_state(ctx.input(15), "h_grad_tensor", batch, units));
    g.cs_before = ctx.input(1).raw();
    g.weights = lstm_weights(ctx, 0, sees_, kernels::GateOrder::kNewSecond);
    g.values = lstm_values(values);
    g.cs_gradient = ctx.input(14).raw();
    g.h_gradient = ctx.input(15).raw();
    TINYTF_ASSIGN_OR_RETURN(Tensor * cs_prev, ctx.allocate_output(0, Shape{batch, units}));
    TINYTF_ASSIGN_OR_RETURN(Tensor * gates, ctx.allocate_output(1, Shape{batch, (Size(units) * 4).value()}));
    g.cs_before_gradient = cs_prev->raw();
    g.gates_gradient = gates->raw();
    void** const seen[] = {&g.see_input_gradient, &g.see_forget_gradient, &g.see_output_gradient};
    for (int k = 0; k < 3; ++k) {
      TINYTF_ASSIGN_OR_RETURN(Tensor * gradient, ctx.allocate_output(2 + k, Shape{units}));
      *seen[k] = gradient->raw();
    }
    run_(g, ctx.parallel());
    return Status();
  }

 private:
  void (*const run_)(const kernels::LstmCellGradient&, Parallel&);
  const bool sees_;
};

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(rnn_lstm_cell) {
  using namespace tinytf::ops;
  const std::vector<tinytf::DType> types = {tinytf::DType::kHalf, tinytf::DType::kFloat};

  tinytf::OpDefBuilder forward = ops.op("LSTMBlockCell");
  for (const char* input : kLstmInputs) forward.input(input);
  declare_lstm_outputs(forward);
  forward.attr("forget_bias: float = 1.0")
      .attr("cell_clip: float = 3.0")
      .attr("use_peephole: bool = false")
      .attr("T: {half, float}")
      .shape(lstm_cell_shape)
      .doc(
          "Computes one step of an LSTM: `i, ci, f, o = split([x, h_prev] @ w + b, 4, axis=1)`, where with "
          "`use_peephole` `cs_prev * wci` and `cs_prev * wcf` are added to `i` and `f`; then `i = sigmoid(i)`, `ci = "
          "tanh(ci)`, `f = sigmoid(f + forget_bias)`, `cs = ci * i + cs_prev * f`, clipped to [-cell_clip, cell_clip] "
          "if `cell_clip` is positive, `o = sigmoid(o)`, or with `use_peephole` `sigmoid(o + cs * wco)`, `co = "
          "tanh(cs)` and `h = co * o`. `x` is [batch, inputs], `cs_prev` and `h_prev` are [batch, units], `w` is "
          "[inputs + units, 4 * units], `b` [4 * units], and `wci`, `wcf` and `wco` are [units].");
  kernels.add<LstmCellKernel>("LSTMBlockCell").where("T", types);

  tinytf::OpDefBuilder backward = ops.op("LSTMBlockCellGrad");
  for (const char* input : kLstmInputs) backward.input(input);
  for (int i = 0; i < 6; ++i) backward.input(std::string(kLstmValues[i]) + ": T");
  backward.input("cs_grad: T").input("h_grad: T");
  for (const char* output : {"cs_prev_grad: T", "dicfo: T", "wci_grad: T", "wcf_grad: T", "wco_grad: T"}) {
    backward.output(output);
  }
  backward.attr("use_peephole: bool")
      .attr("T: {half, float}")
      .shape(lstm_cell_grad_shape)
      .no_gradient()
      .doc(
          "Computes the gradients of `LSTMBlockCell` with respect to `cs_prev`, with respect to the pre-activations of "
          "the gates as `dicfo` [batch, 4 * units], and with respect to `wci`, `wcf` and `wco`, which are zeros "
          "without `use_peephole`. Clipping of `cs` is ignored.");
  kernels.add<LstmCellGradKernel>("LSTMBlockCellGrad").where("T", types);
}
