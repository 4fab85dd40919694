#pragma once

#include "op/kernel.h"

namespace tinytf::ops {

/// The loop of a table for a type. A kernel that is registered for a type without a loop cannot be made: a test makes
/// all.
template <class Loop>
Loop loop_of(KernelInit& init, const Loop (&loops)[kDTypeCount], DType dtype) {
  const Loop& loop = loops[static_cast<int>(dtype)];
  if (!loop) init.fail(internal_error("no loop for ", dtype_name(dtype)));
  return loop;
}

}  // namespace tinytf::ops
