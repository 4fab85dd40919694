#include "ops/training/shared/optimizer.h"

TINYTF_OPS(training_adadelta) {
  using namespace tinytf::ops;
  using namespace tinytf::ops::optimizer_inputs;
  using tinytf::kernels::Optimizer;

  declare_optimizer(
      ops, kernels, kAllForms,
      {"Adadelta",
       Optimizer::kAdadelta,
       {"accum", "accum_update"},
       {kLr, kRho, kEpsilon, kGrad},
       {},
       "Adadelta: `accum = rho * accum + (1 - rho) * grad ** 2; u = sqrt(accum_update + epsilon) / sqrt(accum + "
       "epsilon) * grad; accum_update = rho * accum_update + (1 - rho) * u ** 2; var -= lr * u`."});
}
