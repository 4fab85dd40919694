#pragma once

#include "op/kernel.h"

namespace tinytf::ops {

/// The variable's value for somebody who holds it beyond the step: whoever changes the variable while he does, writes
/// elsewhere. (Readers within a step hold the memory itself, and see changes of it, as TensorFlow's do; but a change
/// of what is held they do not see.) Invalid before the first assignment.
Tensor hold_value(RefVariable& variable);

/// What a change of a value leaves of it.
enum class Change { kSome, kNothing };

/// The memory of the variable, which must have a value, for a change of it: other memory than before if somebody holds
/// that. `locked`: the caller has the mutex.
Result<Tensor> memory_to_change(RefVariable& variable, bool locked, Allocator& allocator,
                                Change change = Change::kSome);

}  // namespace tinytf::ops
