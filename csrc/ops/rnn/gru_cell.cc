#include "kernels/table.h"
#include "op/registration.h"
#include "ops/rnn/shared/lstm_inputs.h"

namespace tinytf::ops {

namespace {

Status gru_cell_shape(ShapeContext& c) {
  PartialShape x, h_prev;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 2, &x));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 2, &h_prev));
  for (int i = 0; i < 4; ++i) c.set_output(i, PartialShape::matrix(x.dim(0), h_prev.dim(1)));
  return Status();
}

Status gru_cell_grad_shape(ShapeContext& c) {
  PartialShape x, h_prev, w_ru;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 2, &x));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 2, &h_prev));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 2, &w_ru));
  const int64_t batch = x.dim(0);
  c.set_output(0, std::move(x));
  c.set_output(1, PartialShape::matrix(batch, h_prev.dim(1)));
  c.set_output(2, PartialShape::matrix(batch, h_prev.dim(1)));
  c.set_output(3, PartialShape::matrix(batch, w_ru.dim(1)));
  return Status();
}

/// Fails with TensorFlow's message "Rank of {name} must be 1…" unless `t` is a vector of the wanted size.
Status check_bias(const Tensor& t, const char* name, const char* what, Size wanted) {
  if (t.rank() != 1) return invalid_argument("Rank of ", name, " must be 1", t.rank(), " vs. 1");
  return check_dim(t, name, "dim_size", 0, what, wanted);
}

struct GruSizes {
  int64_t batch = 0;
  int64_t inputs = 0;
  int64_t units = 0;
};

/// The sizes from the inputs x, h_prev, w_ru, w_c, b_ru and b_c, which are checked.
Result<GruSizes> gru_sizes(const KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &h_prev = ctx.input(1), &w_ru = ctx.input(2), &w_c = ctx.input(3);
  TINYTF_RETURN_IF_ERROR(check_rank(x, "x", 2));
  TINYTF_RETURN_IF_ERROR(check_rank(h_prev, "h_prev", 2));
  TINYTF_RETURN_IF_ERROR(check_rank(w_ru, "w_ru", 2));
  TINYTF_RETURN_IF_ERROR(check_rank(w_c, "w_c", 2));
  const GruSizes sizes{x.dim(0), x.dim(1), h_prev.dim(1)};
  const Size rows = Size(sizes.inputs) + sizes.units;
  TINYTF_RETURN_IF_ERROR(check_dim(h_prev, "h_prev", "dims", 0, "batch_size", sizes.batch));
  TINYTF_RETURN_IF_ERROR(check_dim(w_ru, "w_ru", "dim_size", 0, "input_size + cell_size", rows));
  TINYTF_RETURN_IF_ERROR(check_dim(w_ru, "w_ru", "dim_size", 1, "cell_size * 2", Size(sizes.units) * 2));
  TINYTF_RETURN_IF_ERROR(check_dim(w_c, "w_c", "dim_size", 0, "input_size + cell_size", rows));
  TINYTF_RETURN_IF_ERROR(check_dim(w_c, "w_c", "dim_size", 1, "cell_size", sizes.units));
  TINYTF_RETURN_IF_ERROR(check_bias(ctx.input(4), "b_ru", "cell_size * 2", Size(sizes.units) * 2));
  TINYTF_RETURN_IF_ERROR(check_bias(ctx.input(5), "b_c", "cell_size", sizes.units));
  return sizes;
}

/// Products with the two parts of a weight matrix [inputs + units, columns]: the rows for x and the rows for h.
class Products {
 public:
  Products(const GruSizes& sizes, Parallel& parallel) : sizes_(sizes), parallel_(parallel) {}

  /// to = [x, h] w + bias.
  void forward(const float* x, const float* h, const Tensor& w, const Tensor& bias, float* to) const {
    const int64_t columns = w.dim(1);
    kernels::GemmArgs args = of(x, sizes_.inputs, w.data<float>(), columns, to, columns, columns);
    args.k = sizes_.inputs;
    run(args);
    args = of(h, sizes_.units, w.data<float>() + sizes_.inputs * columns, columns, to, columns, columns);
    args.k = sizes_.units;
    args.accumulate = true;
    args.bias = bias.raw();
    run(args);
  }
  /// dx (+)= dg wx' and dh (+)= dg wh', where w = [wx, wh]; adds to dx or dh if `add_x` or `add_h`.
  void backward(const float* dg, const Tensor& w, float* dx, bool add_x, float* dh, bool add_h) const {
    const int64_t columns = w.dim(1);
    kernels::GemmArgs args = of(dg, columns, w.data<float>(), columns, dx, sizes_.inputs, sizes_.inputs);
    args.k = columns;
    args.op_b = kernels::MatrixOp::kTranspose;
    args.accumulate = add_x;
    run(args);
    args = of(dg, columns, w.data<float>() + sizes_.inputs * columns, columns, dh, sizes_.units, sizes_.units);
    args.k = columns;
    args.op_b = kernels::MatrixOp::kTranspose;
    args.accumulate = add_h;
    run(args);
  }

 private:
  kernels::GemmArgs of(const float* a, int64_t lda, const float* b, int64_t ldb, float* c, int64_t ldc,
                       int64_t n) const {
    kernels::GemmArgs args;
    args.m = sizes_.batch;
    args.n = n;
    args.a = a;
    args.lda = lda;
    args.b = b;
    args.ldb = ldb;
    args.c = c;
    args.ldc = ldc;
    return args;
  }
  void run(const kernels::GemmArgs& args) const {
    kernels::table().gemm.gemm[static_cast<int>(DType::kFloat)](args, parallel_);
  }

  const GruSizes sizes_;
  Parallel& parallel_;
};

class GruCellKernel final : public Kernel {
 public:
  explicit GruCellKernel(KernelInit&) : loops_(kernels::table().recurrent.gru) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const GruSizes sizes, gru_sizes(ctx));
    const auto [batch, inputs, units] = sizes;
    float* outputs[4];
    for (int i = 0; i < 4; ++i) {
      TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(i, Shape{batch, units}));
      outputs[i] = output->data<float>();
    }
    if (batch == 0 || units == 0) return Status();
    TINYTF_ASSIGN_OR_RETURN(Tensor gates, ctx.allocate(DType::kFloat, Shape{batch, (Size(units) * 2).value()}));
    TINYTF_ASSIGN_OR_RETURN(Tensor reset, ctx.allocate(DType::kFloat, Shape{batch, units}));
    const auto [r, u, c, h] = outputs;
    const float *const x = ctx.input(0).data<float>(), *const h_prev = ctx.input(1).data<float>();
    const Products products(sizes, ctx.parallel());
    products.forward(x, h_prev, ctx.input(2), ctx.input(4), gates.data<float>());
    loops_.gates(gates.data<float>(), h_prev, r, u, reset.data<float>(), batch, units, ctx.parallel());
    products.forward(x, reset.data<float>(), ctx.input(3), ctx.input(5), c);
    loops_.output(u, h_prev, c, h, batch * units, ctx.parallel());
    return Status();
  }

 private:
  const kernels::GruTable& loops_;
};

class GruCellGradKernel final : public Kernel {
 public:
  explicit GruCellGradKernel(KernelInit&) : loops_(kernels::table().recurrent.gru) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const GruSizes sizes, gru_sizes(ctx));
    const auto [batch, inputs, units] = sizes;
    constexpr const char* kNames[] = {"r", "u", "c", "d_h"};
    const float* values[4];
    for (int i = 0; i < 4; ++i) {
      TINYTF_RETURN_IF_ERROR(check_state(ctx.input(6 + i), kNames[i], batch, units));
      values[i] = ctx.input(6 + i).data<float>();
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * d_x, ctx.allocate_output(0, Shape{batch, inputs}));
    TINYTF_ASSIGN_OR_RETURN(Tensor * d_h_prev, ctx.allocate_output(1, Shape{batch, units}));
    TINYTF_ASSIGN_OR_RETURN(Tensor * d_c_bar, ctx.allocate_output(2, Shape{batch, units}));
    TINYTF_ASSIGN_OR_RETURN(Tensor * d_gates, ctx.allocate_output(3, Shape{batch, (Size(units) * 2).value()}));
    if (batch == 0) return Status();
    TINYTF_ASSIGN_OR_RETURN(Tensor d_reset, ctx.allocate(DType::kFloat, Shape{batch, units}));
    const auto [r, u, c, d_h] = values;
    const float* const h_prev = ctx.input(1).data<float>();
    const Products products(sizes, ctx.parallel());
    loops_.output_gradient(d_h, u, h_prev, c, d_c_bar->data<float>(), d_gates->data<float>(), batch, units,
                           ctx.parallel());
    products.backward(d_c_bar->data<float>(), ctx.input(3), d_x->data<float>(), false, d_reset.data<float>(), false);
    loops_.reset_gradient(d_h, d_reset.data<float>(), r, u, h_prev, d_gates->data<float>(), d_h_prev->data<float>(),
                          batch, units, ctx.parallel());
    products.backward(d_gates->data<float>(), ctx.input(2), d_x->data<float>(), true, d_h_prev->data<float>(), true);
    return Status();
  }

 private:
  const kernels::GruTable& loops_;
};

constexpr const char* kGruInputs[] = {"x: T", "h_prev: T", "w_ru: T", "w_c: T", "b_ru: T", "b_c: T"};

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(rnn_gru_cell) {
  using namespace tinytf::ops;

  tinytf::OpDefBuilder forward = ops.op("GRUBlockCell");
  for (const char* input : kGruInputs) forward.input(input);
  for (const std::string output : {"r", "u", "c"}) forward.output(output + ": T").ignores_gradient(output);
  forward.output("h: T");
  forward.attr("T: {float}")
      .shape(gru_cell_shape)
      .doc(
          "Computes one step of a GRU: `r, u = split(sigmoid([x, h_prev] @ w_ru + b_ru), 2, axis=1)`, `c = tanh([x, "
          "h_prev * r] @ w_c + b_c)` and `h = (1 - u) * c + u * h_prev`. `x` is [batch, inputs], `h_prev` [batch, "
          "units], `w_ru` [inputs + units, 2 * units], `w_c` [inputs + units, units], `b_ru` [2 * units], `b_c` "
          "[units].");
  kernels.add<GruCellKernel>("GRUBlockCell");

  tinytf::OpDefBuilder backward = ops.op("GRUBlockCellGrad");
  for (const char* input : kGruInputs) backward.input(input);
  for (const char* input : {"r: T", "u: T", "c: T", "d_h: T"}) backward.input(input);
  for (const char* output : {"d_x: T", "d_h_prev: T", "d_c_bar: T", "d_r_bar_u_bar: T"}) backward.output(output);
  backward.attr("T: {float}")
      .shape(gru_cell_grad_shape)
      .no_gradient()
      .doc(
          "Computes the gradients of `GRUBlockCell` with respect to `x` and `h_prev`, and with respect to the "
          "pre-activations: `d_c_bar` [batch, units] for `c`, and `d_r_bar_u_bar` [batch, 2 * units] for `r` and `u`.");
  kernels.add<GruCellGradKernel>("GRUBlockCellGrad");
}
