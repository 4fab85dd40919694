#include "kernels/table.h"
#include "op/registration.h"
#include "ops/loop_of.h"
#include "ops/random/shared/generator.h"

namespace tinytf::ops {

namespace {

Status uniform_int_shape(ShapeContext& c) {
  for (int i = c.num_inputs() - 2; i < c.num_inputs(); ++i) TINYTF_RETURN_IF_ERROR(c.with_rank(i, 0));
  return c.num_inputs() == 4 ? stateless_random_shape(c) : random_shape(c);
}

struct Bounds {
  int64_t low;
  int64_t high;
};

/// Reads the bounds from the last two inputs. If the output is empty, any bounds are allowed.
Result<Bounds> read_bounds(const KernelContext& ctx, int64_t n) {
  const int first = ctx.num_inputs() - 2;
  for (int i = first; i < ctx.num_inputs(); ++i) {
    if (ctx.input(i).rank() != 0) {
      return invalid_argument(i == first ? "minval" : "maxval", " must be 0-D, got shape ",
                              ctx.input(i).shape().to_string());
    }
  }
  const Bounds bounds{ctx.input(first).int_at(0), ctx.input(first + 1).int_at(0)};
  if (n > 0 && bounds.low >= bounds.high) {
    return invalid_argument("Need minval < maxval, got ", bounds.low, " >= ", bounds.high);
  }
  return bounds;
}

class RandomUniformIntKernel final : public GeneratorKernel {
 public:
  explicit RandomUniformIntKernel(KernelInit& init)
      : GeneratorKernel(init), fill_(loop_of(init, kernels::table().random.uniform_int, init.output_type(0))) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const Shape shape, shape_from(ctx.input(0)));
    const int64_t n = shape.num_elements();
    TINYTF_ASSIGN_OR_RETURN(const Bounds bounds, read_bounds(ctx, n));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    if (n > 0) fill_(generator_.reserve_elements(n), bounds.low, bounds.high, out->raw(), n, ctx.parallel());
    return Status();
  }

 private:
  kernels::RandomIntFill fill_;
};

class StatelessRandomUniformIntKernel final : public Kernel {
 public:
  explicit StatelessRandomUniformIntKernel(KernelInit& init)
      : fill_(loop_of(init, kernels::table().random.uniform_int, init.output_type(0))) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const Shape shape, shape_from(ctx.input(0)));
    TINYTF_ASSIGN_OR_RETURN(const kernels::Philox generator, stateless_generator(ctx.input(1)));
    const int64_t n = shape.num_elements();
    TINYTF_ASSIGN_OR_RETURN(const Bounds bounds, read_bounds(ctx, n));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    if (n > 0) fill_(generator, bounds.low, bounds.high, out->raw(), n, ctx.parallel());
    return Status();
  }

 private:
  kernels::RandomIntFill fill_;
};

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(random_uniform_int) {
  using namespace tinytf::ops;
  using tinytf::DType;

  ops.op("RandomUniformInt")
      .input("shape: T")
      .input("minval: Tout")
      .input("maxval: Tout")
      .output("output: Tout")
      .attr("seed: int = 0")
      .attr("seed2: int = 0")
      .attr("Tout: {int32, int64}")
      .attr("T: {int32, int64}")
      .stateful()
      .trait(Trait::kRandom)
      .shape(uniform_int_shape)
      .no_gradient()
      .doc(
          "Draws uniform integers in [minval, maxval), as a tensor of the given `shape`. Both bounds are scalars. "
          "Fails with InvalidArgument unless minval < maxval or the output is empty.");
  kernels.add<RandomUniformIntKernel>("RandomUniformInt");

  ops.op("StatelessRandomUniformInt")
      .input("shape: T")
      .input("seed: Tseed")
      .input("minval: dtype")
      .input("maxval: dtype")
      .output("output: dtype")
      .attr("dtype: {int32, int64}")
      .attr("T: {int32, int64}")
      .attr("Tseed: {int32, int64} = DT_INT64")
      .shape(uniform_int_shape)
      .not_differentiable()
      .doc("Draws the same kind of samples as `RandomUniformInt`. They are a function of `seed` [2] and `shape`.");
  kernels.add<StatelessRandomUniformIntKernel>("StatelessRandomUniformInt");
}
