#include <cstring>

#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/loop_of.h"
#include "ops/rnn/shared/lstm_inputs.h"

namespace tinytf::ops {

namespace {

using kernels::GateOrder;

Status block_lstm_shape(ShapeContext& c) {
  PartialShape x, b;
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 3, &x));
  TINYTF_RETURN_IF_ERROR(c.with_rank(c.num_inputs() - 1, 1, &b));
  int64_t units = b.dim(0);
  if (units != kUnknownDim) {
    if (units % 4 != 0) return invalid_argument("Dimension size must be evenly divisible by 4 but is ", units);
    units /= 4;
  }
  for (int i = 0; i < 7; ++i) c.set_output(i, PartialShape({x.dim(0), x.dim(1), units}));
  return Status();
}

Status block_lstm_grad_shape(ShapeContext& c) {
  constexpr int kRanks[] = {3, 2, 2, 2, 1, 1, 1, 1};
  for (int i = 0; i < 8; ++i) {
    PartialShape shape;
    TINYTF_RETURN_IF_ERROR(c.with_rank(1 + i, kRanks[i], &shape));
    c.set_output(i, std::move(shape));
  }
  return Status();
}

/// The number of steps to run. InvalidArgument unless it is in [0, steps].
Result<int64_t> steps_to_run(const Tensor& seq_len_max, int64_t steps) {
  if (seq_len_max.rank() != 0)
    return invalid_argument("seq_len_max must be a scalar, got ", seq_len_max.shape().to_string());
  const int64_t wanted = *seq_len_max.data<int64_t>();
  if (wanted < 0 || wanted > steps) {
    return invalid_argument("seq_len_max must be in [0, ", steps, "], where x has ", steps, " steps, got ", wanted);
  }
  return wanted;
}

/// Zeroes the steps of `sequence` from `first` on.
void clear_from(Tensor* sequence, int64_t first) {
  const int64_t steps = sequence->dim(0);
  if (first == steps || sequence->num_elements() == 0) return;
  const size_t of_step = sequence->bytes() / static_cast<size_t>(steps);
  std::memset(static_cast<char*>(sequence->raw()) + of_step * static_cast<size_t>(first), 0,
              of_step * static_cast<size_t>(steps - first));
}

template <GateOrder kOrder>
class BlockLstmKernel final : public Kernel {
 public:
  explicit BlockLstmKernel(KernelInit& init)
      : run_(loop_of(init, kernels::table().recurrent.lstm, init.input_type(1))),
        forget_bias_(kOrder == GateOrder::kNewSecond ? init.attr<float>("forget_bias") : 0),
        clip_(init.attr<float>("cell_clip")),
        sees_(init.attr<bool>("use_peephole")) {}

  Status compute(KernelContext& ctx) override {
    kernels::LstmForward net;
    TINYTF_ASSIGN_OR_RETURN(net.sizes, lstm_sizes(ctx, 1, /*is_sequence=*/true));
    const Shape shape{net.sizes.steps, net.sizes.batch, net.sizes.units};
    TINYTF_ASSIGN_OR_RETURN(net.sizes.steps, steps_to_run(ctx.input(0), net.sizes.steps));
    net.x = ctx.input(1).raw();
    net.cs_before = ctx.input(2).raw();
    net.h_before = ctx.input(3).raw();
    net.weights = lstm_weights(ctx, 1, sees_, kOrder);
    net.bias = ctx.input(8).raw();
    net.forget_bias = forget_bias_;
    net.clip = clip_;
    void* values[7];
    for (int i = 0; i < 7; ++i) {
      TINYTF_ASSIGN_OR_RETURN(Tensor * value, ctx.allocate_output(i, shape));
      clear_from(value, net.sizes.steps);
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

template <GateOrder kOrder>
class BlockLstmGradKernel final : public Kernel {
 public:
  explicit BlockLstmGradKernel(KernelInit& init)
      : run_(loop_of(init, kernels::table().recurrent.lstm_gradient, init.input_type(1))),
        sees_(init.attr<bool>("use_peephole")) {}

  Status compute(KernelContext& ctx) override {
    kernels::LstmGradient net;
    TINYTF_ASSIGN_OR_RETURN(net.sizes, lstm_sizes(ctx, 1, /*is_sequence=*/true));
    const Shape shape{net.sizes.steps, net.sizes.batch, net.sizes.units};
    const void* values[7];
    for (int i = 0; i < 7; ++i) {
      TINYTF_RETURN_IF_ERROR(check_sequence(ctx.input(9 + i), kLstmValues[i], shape));
      values[i] = ctx.input(9 + i).raw();
    }
    TINYTF_RETURN_IF_ERROR(check_sequence(ctx.input(16), "cs_grad", shape));
    TINYTF_RETURN_IF_ERROR(check_sequence(ctx.input(17), "h_grad", shape));
    TINYTF_ASSIGN_OR_RETURN(net.sizes.steps, steps_to_run(ctx.input(0), net.sizes.steps));
    net.x = ctx.input(1).raw();
    net.cs_before = ctx.input(2).raw();
    net.h_before = ctx.input(3).raw();
    net.weights = lstm_weights(ctx, 1, sees_, kOrder);
    net.values = lstm_values(values);
    net.cs_gradient = ctx.input(16).raw();
    net.h_gradient = ctx.input(17).raw();
    void** const gradients[] = {&net.x_gradient,          &net.cs_before_gradient, &net.h_before_gradient,
                                &net.w_gradient,          &net.see_input_gradient, &net.see_forget_gradient,
                                &net.see_output_gradient, &net.bias_gradient};
    for (int i = 0; i < 8; ++i) {
      TINYTF_ASSIGN_OR_RETURN(Tensor * gradient, ctx.allocate_output(i, ctx.input(1 + i).shape()));
      if (i == 0) clear_from(gradient, net.sizes.steps);
      *gradients[i] = gradient->raw();
    }
    run_(net, ctx.parallel());
    return Status();
  }

 private:
  static Status check_sequence(const Tensor& t, const char* name, const Shape& shape) {
    if (t.shape() == shape) return Status();
    return invalid_argument(name, " must have the shape ", shape.to_string(),
                            " = [time_len, batch_size, cell_size], got ", t.shape().to_string());
  }

  void (*const run_)(const kernels::LstmGradient&, Parallel&);
  const bool sees_;
};

/// Declares one version of the ops. The second version has another order of gates and no forget_bias.
template <GateOrder kOrder>
void declare_version(OpRegistry& ops, KernelRegistry& kernels, const std::string& name, const std::string& gradient) {
  constexpr bool kFirst = kOrder == GateOrder::kNewSecond;
  const std::vector<DType> types = {DType::kHalf, DType::kFloat};

  OpDefBuilder forward = ops.op(name);
  forward.input("seq_len_max: int64");
  for (const char* input : kLstmInputs) forward.input(input);
  declare_lstm_outputs(forward);
  if (kFirst) forward.attr("forget_bias: float = 1.0");
  forward.attr(kFirst ? "cell_clip: float = 3.0" : "cell_clip: float = 0.0")
      .attr("use_peephole: bool = false")
      .attr("T: {half, float}")
      .shape(block_lstm_shape)
      .doc(std::string("Runs an LSTM over the first `seq_len_max` steps of `x` [time_len, batch, inputs]. Each step is "
                       "computed as by `LSTMBlockCell`") +
           (kFirst ? "" : ", with gates in the order `i, f, ci, o` and no `forget_bias`") +
           ". The outputs are [time_len, batch, units], with zeros after the last step that is run; `seq_len_max` must "
           "be in [0, time_len].");
  kernels.add<BlockLstmKernel<kOrder>>(name).where("T", types);

  OpDefBuilder backward = ops.op(gradient);
  backward.input("seq_len_max: int64");
  for (const char* input : kLstmInputs) backward.input(input);
  for (const char* value : kLstmValues) backward.input(std::string(value) + ": T");
  backward.input("cs_grad: T").input("h_grad: T");
  for (const char* output : {"x_grad: T", "cs_prev_grad: T", "h_prev_grad: T", "w_grad: T", "wci_grad: T",
                             "wcf_grad: T", "wco_grad: T", "b_grad: T"}) {
    backward.output(output);
  }
  backward.attr("use_peephole: bool")
      .attr("T: {half, float}")
      .shape(block_lstm_grad_shape)
      .no_gradient()
      .doc("Computes the gradients of `" + name +
           "` from the gradients of its outputs `cs` and `h` in the first `seq_len_max` steps. The gradients with "
           "respect to `wci`, `wcf` and `wco` are zeros without `use_peephole`. Clipping of `cs` is ignored.");
  kernels.add<BlockLstmGradKernel<kOrder>>(gradient).where("T", types);
}

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(rnn_block_lstm) {
  using namespace tinytf::ops;
  declare_version<GateOrder::kNewSecond>(ops, kernels, "BlockLSTM", "BlockLSTMGrad");
  declare_version<GateOrder::kForgetSecond>(ops, kernels, "BlockLSTMV2", "BlockLSTMGradV2");
}
