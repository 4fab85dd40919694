#include "ops/training/shared/optimizer.h"

TINYTF_OPS(training_rms_prop) {
  using namespace tinytf::ops;
  using namespace tinytf::ops::optimizer_inputs;
  using tinytf::kernels::Optimizer;

  declare_optimizer(ops, kernels, kAllForms,
                    {"RMSProp",
                     Optimizer::kRMSProp,
                     {"ms", "mom"},
                     {kLr, kRho, kMomentum, kEpsilon, kGrad},
                     {},
                     "RMSProp: `ms = rho * ms + (1 - rho) * grad ** 2; mom = momentum * mom + lr * grad / sqrt(ms + "
                     "epsilon); var -= mom`."});
  declare_optimizer(
      ops, kernels, kAllForms,
      {"CenteredRMSProp",
       Optimizer::kCenteredRMSProp,
       {"mg", "ms", "mom"},
       {kLr, kRho, kMomentum, kEpsilon, kGrad},
       {},
       "RMSProp that normalizes by an estimate of the variance: `mg = rho * mg + (1 - rho) * grad; ms = rho * ms + (1 "
       "- rho) * grad ** 2; mom = momentum * mom + lr * grad / sqrt(ms - mg ** 2 + epsilon); var -= mom`."});
}
