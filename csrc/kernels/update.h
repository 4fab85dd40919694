#pragma once

#include <cstdint>

#include "base/dtype.h"
#include "base/parallel.h"
#include "kernels/gather.h"

namespace tinytf::kernels {

/// List of all optimizers: X(rule, slots). The enum constant is `k` and the rule. The slots are in the order of the
/// op's inputs after `var`; each comment names the slots and the hyperparameters that the rule reads. g is the
/// gradient.
#define TINYTF_OPTIMIZERS(X)                                                                                      \
  X(GradientDescent, 0)         /* lr (the op's alpha) */                                                         \
  X(ProximalGradientDescent, 0) /* lr (alpha), l1, l2 */                                                          \
  X(Momentum, 1)                /* accum; lr, momentum, nesterov */                                               \
  X(KerasMomentum, 1)           /* accum; lr, momentum, nesterov */                                               \
  X(Adagrad, 1)                 /* accum; lr, update_slots */                                                     \
  X(AdagradV2, 1)               /* accum; lr, epsilon, update_slots */                                            \
  X(ProximalAdagrad, 1)         /* accum; lr, l1, l2 */                                                           \
  X(AdagradDA, 2)               /* gradient_accumulator, gradient_squared_accumulator; lr, l1, l2, global_step */ \
  X(Adadelta, 2)                /* accum, accum_update; lr, rho, epsilon */                                       \
  X(Adam, 2)                    /* m, v; lr, beta1_power, beta2_power, beta1, beta2, epsilon, nesterov */         \
  X(AdaMax, 2)                  /* m, v; lr, beta1_power, beta1, beta2, epsilon */                                \
  X(RMSProp, 2)                 /* ms, mom; lr, rho, momentum, epsilon */                                         \
  X(CenteredRMSProp, 3)         /* mg, ms, mom; lr, rho, momentum, epsilon */                                     \
  X(Ftrl, 2)                    /* accum, linear; lr, l1, l2, l2_shrinkage, lr_power */                           \
  X(AddSign, 1)                 /* m; lr, alpha, sign_decay, beta1 (the op's beta) */                             \
  X(PowerSign, 1)               /* m; lr, alpha (the op's logbase), sign_decay, beta1 */

enum class Optimizer {
#define TINYTF_X(rule, slots) k##rule,
  TINYTF_OPTIMIZERS(TINYTF_X)
#undef TINYTF_X
};

inline constexpr int kOptimizerSlots[] = {
#define TINYTF_X(rule, slots) slots,
    TINYTF_OPTIMIZERS(TINYTF_X)
#undef TINYTF_X
};
inline constexpr int kOptimizerCount = sizeof kOptimizerSlots / sizeof *kOptimizerSlots;

/// Scalars of a step; each optimizer reads the ones named above. Computed in the variable's type (half and bfloat16:
/// float).
struct Hyper {
  double lr = 0, momentum = 0, rho = 0, epsilon = 0;
  double beta1_power = 0, beta2_power = 0, beta1 = 0, beta2 = 0;
  double l1 = 0, l2 = 0, l2_shrinkage = 0, lr_power = -0.5;
  double alpha = 0, sign_decay = 0;
  double global_step = 0;
  bool nesterov = false;
  bool update_slots = true;
};

/// The variable and its slots, all of one type and updated in place, and the gradient. They must not overlap. Unused
/// slots are null.
struct UpdateState {
  void* var;
  void* slots[3];
  const void* grad;
};

/// One pass over n elements.
using DenseUpdate = void (*)(const UpdateState&, const Hyper&, int64_t n, Parallel&);
/// var and slots are [limit, inner], grad is [indices.count, inner]; row indices[i] takes a step with gradient row i,
/// in order of i. Returns kAllInRange or the position of the first bad index; then nothing was written.
using SparseUpdate = int64_t (*)(const UpdateState&, const Hyper&, int64_t limit, int64_t inner, const Indices& indices,
                                 Parallel&);

/// [static_cast<int>(Optimizer)][dtype]: half, bfloat16, float, double.
struct UpdateTable {
  DenseUpdate dense[kOptimizerCount][kDTypeCount];
  SparseUpdate sparse[kOptimizerCount][kDTypeCount];
};

}  // namespace tinytf::kernels
