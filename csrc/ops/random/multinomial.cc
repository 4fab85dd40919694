#include "base/checked.h"
#include "kernels/table.h"
#include "op/registration.h"
#include "op/size_input.h"
#include "ops/dtype_lists.h"
#include "ops/loop_of.h"
#include "ops/random/shared/generator.h"

namespace tinytf::ops {

namespace {

Status multinomial_shape(ShapeContext& c) {
  PartialShape logits;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 2, &logits));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 0));
  if (c.num_inputs() == 3) {
    PartialShape seed;
    TINYTF_RETURN_IF_ERROR(c.with_rank(2, 1, &seed));
    if (!merge_dims(seed.dim(0), 2).ok()) return invalid_argument("Dimension must be 2 but is ", seed.dim(0));
  }
  TINYTF_ASSIGN_OR_RETURN(const int64_t samples, shapes::size_input(c, 1));
  c.set_output(0, PartialShape::matrix(logits.dim(0), samples));
  return Status();
}

/// Draws the samples. `make_generator(calls)` returns the stream for at most `calls` calls of the generator.
template <class MakeGenerator>
Status draw(KernelContext& ctx, kernels::MultinomialFill fill, MakeGenerator make_generator) {
  const Tensor& logits = ctx.input(0);
  const Tensor& count = ctx.input(1);
  if (logits.rank() != 2) {
    return invalid_argument("logits should be a matrix, got shape ", logits.shape().to_string());
  }
  if (count.rank() != 0) {
    return invalid_argument("num_samples should be a scalar, got shape ", count.shape().to_string());
  }
  const int64_t samples = count.int_at(0);
  if (samples < 0) return invalid_argument("num_samples should be nonnegative, got ", samples);
  const int64_t batch = logits.dim(0);
  const int64_t classes = logits.dim(1);
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape({batch, samples})));
  if (out->num_elements() == 0) return Status();
  if (classes <= 0) return invalid_argument("num_classes should be positive, got ", classes);
  const int64_t rounded = ((Size(samples) + 3) / 4 * 4).value();
  auto generator = make_generator(kernels::kPhiloxReserved * static_cast<uint64_t>(batch * 2 * rounded));
  if (!generator.ok()) return generator.status();
  fill(generator.value(), logits.raw(), batch, classes, samples, out->dtype(), out->raw(), ctx.parallel());
  return Status();
}

class MultinomialKernel final : public GeneratorKernel {
 public:
  explicit MultinomialKernel(KernelInit& init)
      : GeneratorKernel(init), fill_(loop_of(init, kernels::table().random.multinomial, init.input_type(0))) {}

  Status compute(KernelContext& ctx) override {
    return draw(ctx, fill_, [this](uint64_t calls) -> Result<kernels::Philox> { return generator_.reserve(calls); });
  }

 private:
  kernels::MultinomialFill fill_;
};

class StatelessMultinomialKernel final : public Kernel {
 public:
  explicit StatelessMultinomialKernel(KernelInit& init)
      : fill_(loop_of(init, kernels::table().random.multinomial, init.input_type(0))) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const kernels::Philox generator, stateless_generator(ctx.input(2)));
    return draw(ctx, fill_, [&generator](uint64_t) -> Result<kernels::Philox> { return generator; });
  }

 private:
  kernels::MultinomialFill fill_;
};

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(random_multinomial) {
  using namespace tinytf::ops;

  ops.op("Multinomial")
      .input("logits: T")
      .input("num_samples: int32")
      .output("output: output_dtype")
      .attr("seed: int = 0")
      .attr("seed2: int = 0")
      .attr("T: realnumbertype")
      .attr("output_dtype: {int32, int64} = DT_INT64")
      .stateful()
      .trait(Trait::kRandom)
      .shape(multinomial_shape)
      .not_differentiable()
      .doc(
          "Draws class indices [batch, num_samples] from the distributions whose unnormalized log-probabilities are "
          "`logits` [batch, classes].");
  kernels.add<MultinomialKernel>("Multinomial").where("T", kAllFloats);

  ops.op("StatelessMultinomial")
      .input("logits: T")
      .input("num_samples: int32")
      .input("seed: Tseed")
      .output("output: output_dtype")
      .attr("T: realnumbertype")
      .attr("Tseed: {int32, int64} = DT_INT64")
      .attr("output_dtype: {int32, int64} = DT_INT64")
      .shape(multinomial_shape)
      .not_differentiable()
      .doc("Draws the same kind of samples as `Multinomial`. They are a function of `seed` [2] and the other inputs.");
  kernels.add<StatelessMultinomialKernel>("StatelessMultinomial").where("T", kAllFloats);
}
