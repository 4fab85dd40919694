#include "ops/training/shared/optimizer.h"

TINYTF_OPS(training_ftrl) {
  using namespace tinytf::ops;
  using namespace tinytf::ops::optimizer_inputs;
  using tinytf::kernels::Optimizer;

  declare_optimizer(ops, kernels, kAllForms,
                    {"Ftrl",
                     Optimizer::kFtrl,
                     {"accum", "linear"},
                     {kGrad, kLr, kL1, kL2, kLrPower},
                     {},
                     "Follow the regularized leader: `new = accum + grad ** 2; linear += grad - (new ** -lr_power - "
                     "accum ** -lr_power) / lr * var; accum = new; var = (sign(linear) * l1 - linear) / (new ** "
                     "-lr_power / lr + 2 * l2)` where `abs(linear) > l1`, else 0.",
                     /*bounded=*/true});
  declare_optimizer(ops, kernels, kAllForms,
                    {"FtrlV2",
                     Optimizer::kFtrl,
                     {"accum", "linear"},
                     {kGrad, kLr, kL1, kL2, kL2Shrinkage, kLrPower},
                     {},
                     "Follow the regularized leader as in `ApplyFtrl`, with `grad + 2 * l2_shrinkage * var` in place "
                     "of `grad` in the updates of `linear` and `var`.",
                     /*bounded=*/true});
}
