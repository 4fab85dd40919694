#pragma once

#include "op/kernel.h"

namespace tinytf::ops {

/// Passes input `from` on as output `to`, whether it is a value or a reference.
inline void pass_slot(KernelContext& ctx, int from, int to) {
  if (RefVariable* variable = ctx.input_variable(from)) {
    ctx.set_ref_output(to, variable);
  } else {
    ctx.set_output(to, ctx.input(from));
  }
}

}  // namespace tinytf::ops
