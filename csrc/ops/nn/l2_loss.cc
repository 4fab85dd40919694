#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/loop_of.h"

namespace tinytf::ops {

namespace {

class L2LossKernel final : public Kernel {
 public:
  explicit L2LossKernel(KernelInit& init)
      : loop_(loop_of(init, kernels::table().reduce.loops[static_cast<int>(kernels::Reduction::kL2Loss)],
                      init.input_type(0))) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& t = ctx.input(0);
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    const int64_t n = t.num_elements();
    kernels::ReducePlan plan;
    kernels::make_reduce_plan(&n, 1, /*axes=*/1, &plan);
    kernels::run_reduce(loop_, plan, t.raw(), out->raw(), ctx.parallel());
    return Status();
  }

 private:
  const kernels::ReduceLoop loop_;
};

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(nn_l2_loss) {
  using namespace tinytf::ops;

  ops.op("L2Loss")
      .input("t: T")
      .output("output: T")
      .attr("T: {half, bfloat16, float, double}")
      .shape(shapes::scalar)
      .endpoint("nn.l2_loss")
      .doc("Computes the scalar `sum(t ** 2) / 2`, half the sum of the squares of `t`.");
  kernels.add<L2LossKernel>("L2Loss").where("T", kAllFloats);
}
