#include "ops/training/shared/optimizer.h"

TINYTF_OPS(training_momentum) {
  using namespace tinytf::ops;
  using namespace tinytf::ops::optimizer_inputs;
  using tinytf::kernels::Optimizer;

  declare_optimizer(ops, kernels, kAllForms,
                    {"Momentum",
                     Optimizer::kMomentum,
                     {"accum"},
                     {kLr, kGrad, kMomentum},
                     {"use_nesterov: bool = false"},
                     "Momentum: `accum = accum * momentum + grad; var -= lr * accum`; with `use_nesterov`, `var -= lr "
                     "* (grad + momentum * accum)`."});
  declare_optimizer(ops, kernels, kResourceApply | kResourceSparseApply,
                    {"KerasMomentum",
                     Optimizer::kKerasMomentum,
                     {"accum"},
                     {kLr, kGrad, kMomentum},
                     {"use_nesterov: bool = false"},
                     "Momentum as Keras defines it: `accum = accum * momentum - lr * grad; var += accum`; with "
                     "`use_nesterov`, `var += accum * momentum - lr * grad`."});
}
