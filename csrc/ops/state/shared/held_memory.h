#pragma once

#include "op/kernel.h"

namespace tinytf::ops {

/// Returns the value of the variable to be held beyond the step. Until the last holder releases it, changes of the
/// variable go to other memory, so that the held value stays the same. (Readers within a step share the memory of the
/// variable and see its changes, as in TensorFlow.) Invalid before the first assignment.
Tensor hold_value(RefVariable& variable);

/// Which part of the value a change keeps: some of it, or nothing.
enum class Change { kSome, kNothing };

/// Returns the memory of the variable, which must have a value, for an in-place change. If the value is held, the
/// variable first gets new memory: a copy, or with kNothing uninitialized memory. `locked` tells that the caller has
/// the mutex.
Result<Tensor> memory_to_change(RefVariable& variable, bool locked, Allocator& allocator,
                                Change change = Change::kSome);

}  // namespace tinytf::ops
