#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/loop_of.h"
#include "ops/random/shared/generator.h"

namespace tinytf::ops {

namespace {

using Fills = kernels::RandomFill (kernels::RandomTable::*)[kDTypeCount];

template <Fills kFills>
class RandomKernel final : public GeneratorKernel {
 public:
  explicit RandomKernel(KernelInit& init)
      : GeneratorKernel(init), fill_(loop_of(init, kernels::table().random.*kFills, init.output_type(0))) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const Shape shape, shape_from(ctx.input(0)));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    const int64_t n = shape.num_elements();
    if (n > 0) fill_(generator_.reserve_elements(n), out->raw(), n, ctx.parallel());
    return Status();
  }

 private:
  kernels::RandomFill fill_;
};

template <Fills kFills>
class StatelessRandomKernel final : public Kernel {
 public:
  explicit StatelessRandomKernel(KernelInit& init)
      : fill_(loop_of(init, kernels::table().random.*kFills, init.output_type(0))) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const Shape shape, shape_from(ctx.input(0)));
    TINYTF_ASSIGN_OR_RETURN(const kernels::Philox generator, stateless_generator(ctx.input(1)));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    const int64_t n = shape.num_elements();
    if (n > 0) fill_(generator, out->raw(), n, ctx.parallel());
    return Status();
  }

 private:
  kernels::RandomFill fill_;
};

template <Fills kFills, Fills kStatelessFills = kFills>
void declare(OpRegistry& ops, KernelRegistry& kernels, std::string_view name, std::string_view stateless_name,
             std::string_view doc) {
  ops.op(name)
      .input("shape: T")
      .output("output: dtype")
      .attr("seed: int = 0")
      .attr("seed2: int = 0")
      .attr("dtype: {half, bfloat16, float, double}")
      .attr("T: {int32, int64}")
      .stateful()
      .trait(Trait::kRandom)
      .shape(random_shape)
      .not_differentiable()
      .doc(str_cat(
          doc, " Equal nonzero seeds give equal streams; if `seed` and `seed2` are 0 the stream is unpredictable."));
  kernels.add<RandomKernel<kFills>>(name).where("dtype", kAllFloats);

  ops.op(stateless_name)
      .input("shape: T")
      .input("seed: Tseed")
      .output("output: dtype")
      .attr("dtype: {half, bfloat16, float, double} = DT_FLOAT")
      .attr("T: {int32, int64} = DT_INT32")
      .attr("Tseed: {int32, int64} = DT_INT64")
      .shape(stateless_random_shape)
      .not_differentiable()
      .doc(str_cat(doc, " The values are a function of `seed` [2] and `shape`."));
  kernels.add<StatelessRandomKernel<kStatelessFills>>(stateless_name).where("dtype", kAllFloats);
}

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(random_continuous) {
  using namespace tinytf::ops;
  using Table = tinytf::kernels::RandomTable;
  declare<&Table::uniform>(ops, kernels, "RandomUniform", "StatelessRandomUniform",
                           "Draws values of the given `shape` from the uniform distribution on [0, 1).");
  declare<&Table::normal>(
      ops, kernels, "RandomStandardNormal", "StatelessRandomNormal",
      "Draws values of the given `shape` from the normal distribution with mean 0 and standard deviation 1.");
  declare<&Table::truncated_normal>(ops, kernels, "TruncatedNormal", "StatelessTruncatedNormal",
                                    "Draws values of the given `shape` from the normal distribution with mean 0 and "
                                    "standard deviation 1. Values beyond two standard deviations are drawn again.");
}
