#pragma once

#include "op/kernel.h"

namespace tinytf::ops {

/// The loop in a table for a dtype. Fails `init` if there is none, which must not happen for a registered dtype: a test
/// constructs all kernels.
template <class Loop>
Loop loop_of(KernelInit& init, const Loop (&loops)[kDTypeCount], DType dtype) {
  const Loop& loop = loops[static_cast<int>(dtype)];
  if (!loop) init.fail(internal_error("no kernel loop for dtype ", dtype_name(dtype)));
  return loop;
}

}  // namespace tinytf::ops
