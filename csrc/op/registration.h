#pragma once

#include "op/common_shapes.h"
#include "op/kernel_registry.h"
#include "op/op_registry.h"

namespace tinytf {
class VariantForms;
}

/// Opens the registration function of one file under ops/. `unit` is the file's path with underscores:
/// ops/math/erf.cc has TINYTF_OPS(math_erf) { ops.op("Erf")…; kernels.add<…>("Erf")…; }. A file whose variants can be
/// stored adds their form to `forms`.
#define TINYTF_OPS(unit)                                                                                        \
  namespace tinytf::ops {                                                                                       \
  void register_##unit(OpRegistry& ops, KernelRegistry& kernels, VariantForms& forms);                          \
  }                                                                                                             \
  void tinytf::ops::register_##unit([[maybe_unused]] OpRegistry& ops, [[maybe_unused]] KernelRegistry& kernels, \
                                    [[maybe_unused]] VariantForms& forms)
