#include "ops/training/shared/optimizer.h"

TINYTF_OPS(training_sign) {
  using namespace tinytf::ops;
  using namespace tinytf::ops::optimizer_inputs;
  using tinytf::kernels::Hyper;
  using tinytf::kernels::Optimizer;

  constexpr OptimizerInput kAlpha{"alpha", &Hyper::alpha};
  constexpr OptimizerInput kLogBase{"logbase", &Hyper::alpha};
  constexpr OptimizerInput kSignDecay{"sign_decay", &Hyper::sign_decay};
  constexpr OptimizerInput kBeta{"beta", &Hyper::beta1};
  declare_optimizer(
      ops, kernels, kDenseForms,
      {"AddSign",
       Optimizer::kAddSign,
       {"m"},
       {kLr, kAlpha, kSignDecay, kBeta, kGrad},
       {},
       "AddSign: `m = beta * m + (1 - beta) * grad; var -= lr * (alpha + sign_decay * sign(grad) * sign(m)) * grad`."});
  declare_optimizer(ops, kernels, kDenseForms,
                    {"PowerSign",
                     Optimizer::kPowerSign,
                     {"m"},
                     {kLr, kLogBase, kSignDecay, kBeta, kGrad},
                     {},
                     "PowerSign: `m = beta * m + (1 - beta) * grad; var -= lr * exp(logbase * sign_decay * sign(grad) "
                     "* sign(m)) * grad`."});
}
