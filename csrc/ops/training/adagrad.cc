#include "ops/training/shared/optimizer.h"

TINYTF_OPS(training_adagrad) {
  using namespace tinytf::ops;
  using namespace tinytf::ops::optimizer_inputs;
  using tinytf::kernels::Optimizer;

  declare_optimizer(
      ops, kernels, kAllForms,
      {"Adagrad",
       Optimizer::kAdagrad,
       {"accum"},
       {kLr, kGrad},
       {"update_slots: bool = true"},
       "Adagrad: `accum += grad ** 2` (unless `update_slots` is false); `var -= lr * grad / sqrt(accum)`."});
  declare_optimizer(ops, kernels, kAllForms,
                    {"AdagradV2",
                     Optimizer::kAdagradV2,
                     {"accum"},
                     {kLr, kEpsilon, kGrad},
                     {"update_slots: bool = true"},
                     "Adagrad: `accum += grad ** 2` (unless `update_slots` is false); `var -= lr * grad / (sqrt(accum) "
                     "+ epsilon)`."});
  declare_optimizer(ops, kernels, kAllForms,
                    {"ProximalAdagrad",
                     Optimizer::kProximalAdagrad,
                     {"accum"},
                     {kLr, kL1, kL2, kGrad},
                     {},
                     "FOBOS with the rate of Adagrad: `accum += grad ** 2; r = lr / sqrt(accum); p = var - r * grad; "
                     "var = sign(p) / (1 + r * l2) * max(abs(p) - r * l1, 0)`.",
                     /*bounded=*/true});
  declare_optimizer(ops, kernels, kAllForms,
                    {"AdagradDA",
                     Optimizer::kAdagradDA,
                     {"gradient_accumulator", "gradient_squared_accumulator"},
                     {kGrad, kLr, kL1, kL2, kGlobalStep},
                     {},
                     "Adagrad with dual averaging: each step computes `var` anew from the sums of the gradients and of "
                     "their squares, with L1 and L2 regularization."});
}
