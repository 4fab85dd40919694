#include "op/registration.h"
#include "ops/logging/shared/summarize.h"

namespace tinytf::ops {
namespace {

class AssertKernel final : public Kernel {
 public:
  explicit AssertKernel(KernelInit& init) : summarize_(init.attr<int64_t>("summarize")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& condition = ctx.input(0);
    if (condition.rank() != 0) {
      return invalid_argument("In[0] should be a scalar: ", condition.shape().to_string());
    }
    if (*condition.data<bool>()) return Status();
    std::string text = "assertion failed: ";
    for (int i = 1; i < ctx.num_inputs(); ++i) {
      text += str_cat(i > 1 ? " [" : "[", summarize_value(ctx.input(i), summarize_, ctx.parallel()), "]");
    }
    return invalid_argument(text);
  }

 private:
  const int64_t summarize_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(logging_assert) {
  ops.op("Assert")
      .input("condition: bool")
      .input("data: T")
      .attr("T: list(type) >= 1")
      .attr("summarize: int = 3")
      .stateful()
      .trait(Trait::kChecks)
      .shape(tinytf::shapes::no_outputs)
      .not_differentiable()
      .doc(
          "Fails with InvalidArgument, showing the first `summarize` entries of each tensor in `data`, if the scalar "
          "`condition` is false.");
  kernels.add<tinytf::ops::AssertKernel>("Assert");
}
