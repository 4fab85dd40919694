#pragma once

#include "python/eager_current.h"
#include "python/eager_tensor.h"

namespace tinytf::python {

/// Number of the device that the current operation of a session runs on: the one that this thread was told, or the
/// first if the session lacks it and has soft placement; InvalidArgument without.
int device_of_operation(const EagerContext& context);
/// Checks inputs of an operation on that device; InvalidArgument for those on others where the session's policy refuses
/// them. Logs where the operation runs if the session is to.
void check_inputs(const EagerContext& context, const EagerKernel& kernel, EagerTensorObject* const* inputs, int device);

}  // namespace tinytf::python
