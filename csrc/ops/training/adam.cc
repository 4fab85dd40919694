#include "ops/training/shared/optimizer.h"

TINYTF_OPS(training_adam) {
  using namespace tinytf::ops;
  using namespace tinytf::ops::optimizer_inputs;
  using tinytf::kernels::Optimizer;

  declare_optimizer(ops, kernels, kDenseForms,
                    {"Adam",
                     Optimizer::kAdam,
                     {"m", "v"},
                     {kBeta1Power, kBeta2Power, kLr, kBeta1, kBeta2, kEpsilon, kGrad},
                     {"use_nesterov: bool = false"},
                     "Adam: `rate = lr * sqrt(1 - beta2_power) / (1 - beta1_power); m += (1 - beta1) * (grad - m); v "
                     "+= (1 - beta2) * (grad ** 2 - v); var -= rate * m / (sqrt(v) + epsilon)`; with `use_nesterov` "
                     "the numerator is `beta1 * m + (1 - beta1) * grad`."});
  declare_optimizer(ops, kernels, kDenseForms,
                    {"AdaMax",
                     Optimizer::kAdaMax,
                     {"m", "v"},
                     {kBeta1Power, kLr, kBeta1, kBeta2, kEpsilon, kGrad},
                     {},
                     "AdaMax: `m += (1 - beta1) * (grad - m); v = max(beta2 * v, abs(grad)); var -= lr / (1 - "
                     "beta1_power) * m / (v + epsilon)`."});
}
