#include "ops/training/shared/optimizer.h"

TINYTF_OPS(training_gradient_descent) {
  using namespace tinytf::ops;
  using namespace tinytf::ops::optimizer_inputs;
  using tinytf::kernels::Hyper;
  using tinytf::kernels::Optimizer;

  constexpr OptimizerInput kAlpha{"alpha", &Hyper::lr};
  constexpr OptimizerInput kDelta{"delta"};
  declare_optimizer(ops, kernels, kDenseForms,
                    {"GradientDescent",
                     Optimizer::kGradientDescent,
                     {},
                     {kAlpha, kDelta},
                     {},
                     "Gradient descent: `var -= alpha * delta`."});
  declare_optimizer(ops, kernels, kAllForms,
                    {"ProximalGradientDescent",
                     Optimizer::kProximalGradientDescent,
                     {},
                     {kAlpha, kL1, kL2, kDelta},
                     {},
                     "FOBOS with a fixed rate: `p = var - alpha * delta; var = sign(p) / (1 + alpha * l2) * max(abs(p) "
                     "- alpha * l1, 0)`."});
}
