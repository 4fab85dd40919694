#pragma once

#include <string>
#include <vector>

#include "kernels/update.h"
#include "op/registration.h"

namespace tinytf::ops {

/// An input of an optimizer op that is not a variable: a scalar that sets a field of Hyper, or without a field the
/// gradient.
struct OptimizerInput {
  const char* name;
  double kernels::Hyper::* field = nullptr;
};

namespace optimizer_inputs {
inline constexpr OptimizerInput kGrad{"grad"};
inline constexpr OptimizerInput kLr{"lr", &kernels::Hyper::lr};
inline constexpr OptimizerInput kMomentum{"momentum", &kernels::Hyper::momentum};
inline constexpr OptimizerInput kRho{"rho", &kernels::Hyper::rho};
inline constexpr OptimizerInput kEpsilon{"epsilon", &kernels::Hyper::epsilon};
inline constexpr OptimizerInput kBeta1Power{"beta1_power", &kernels::Hyper::beta1_power};
inline constexpr OptimizerInput kBeta2Power{"beta2_power", &kernels::Hyper::beta2_power};
inline constexpr OptimizerInput kBeta1{"beta1", &kernels::Hyper::beta1};
inline constexpr OptimizerInput kBeta2{"beta2", &kernels::Hyper::beta2};
inline constexpr OptimizerInput kL1{"l1", &kernels::Hyper::l1};
inline constexpr OptimizerInput kL2{"l2", &kernels::Hyper::l2};
inline constexpr OptimizerInput kL2Shrinkage{"l2_shrinkage", &kernels::Hyper::l2_shrinkage};
inline constexpr OptimizerInput kLrPower{"lr_power", &kernels::Hyper::lr_power};
inline constexpr OptimizerInput kGlobalStep{"global_step", &kernels::Hyper::global_step};
}  // namespace optimizer_inputs

/// Which of the four forms of its op an optimizer has.
enum OptimizerForms : unsigned {
  kApply = 1,                // Apply<name>: reference variables, dense gradient
  kResourceApply = 2,        // ResourceApply<name>
  kSparseApply = 4,          // SparseApply<name>: gradient for the rows given by `indices`
  kResourceSparseApply = 8,  // ResourceSparseApply<name>
  kDenseForms = kApply | kResourceApply,
  kSparseForms = kSparseApply | kResourceSparseApply,
  kAllForms = kDenseForms | kSparseForms,
};

/// Declares the ops of one optimizer and registers their kernels. Inputs are `var`, the slots and then `inputs`, in
/// this order; in the sparse forms `indices` follows the gradient. `attrs` are the attrs besides T, Tindices and
/// use_locking.
struct OptimizerSpec {
  std::string name;
  kernels::Optimizer optimizer;
  std::vector<const char*> slots;
  std::vector<OptimizerInput> inputs;
  std::vector<const char*> attrs;
  std::string doc;       ///< the update rule, in terms of the inputs' names
  bool bounded = false;  ///< whether rates and regularization strengths are checked for their range
};

void declare_optimizer(OpRegistry& ops, KernelRegistry& kernels, unsigned forms, const OptimizerSpec& spec);

}  // namespace tinytf::ops
