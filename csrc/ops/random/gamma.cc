#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/loop_of.h"
#include "ops/random/shared/generator.h"

namespace tinytf::ops {

namespace {

Status gamma_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(random_shape(c));
  c.set_output(0, c.output(0).concatenate(c.input(1)));
  return Status();
}

class RandomGammaKernel final : public GeneratorKernel {
 public:
  explicit RandomGammaKernel(KernelInit& init)
      : GeneratorKernel(init), fill_(loop_of(init, kernels::table().random.gamma, init.input_type(1))) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(Shape shape, shape_from(ctx.input(0)));
    const Tensor& alpha = ctx.input(1);
    const int64_t samples = shape.num_elements();
    for (int64_t size : alpha.shape().dims()) shape.add_dim(size);
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    const int64_t n = shape.num_elements();
    if (n > 0) {
      fill_(generator_.reserve_elements(n), alpha.raw(), alpha.num_elements(), samples, out->raw(), ctx.parallel());
    }
    return Status();
  }

 private:
  kernels::GammaFill fill_;
};

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(random_gamma) {
  using namespace tinytf::ops;

  ops.op("RandomGamma")
      .input("shape: S")
      .input("alpha: T")
      .output("output: T")
      .attr("seed: int = 0")
      .attr("seed2: int = 0")
      .attr("S: {int32, int64}")
      .attr("T: {half, float, double}")
      .stateful()
      .trait(Trait::kRandom)
      .shape(gamma_shape)
      .no_gradient()
      .doc(
          "Draws samples from the gamma distributions with shape parameters `alpha` and scale 1. `output` has the "
          "shape `shape` + alpha.shape.");
  kernels.add<RandomGammaKernel>("RandomGamma").where("T", kAllFloats);
}
