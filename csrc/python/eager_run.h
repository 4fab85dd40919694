#pragma once

#include <string>

#include "python/eager_current.h"
#include "python/eager_tensor.h"

namespace tinytf::python {

/// Runs an operation in a session and returns a new reference: None, a tensor, or a list with an entry for each
/// declared output. `name` (may be None) is for errors only.
PyObject* run_eagerly(RefPtr<EagerKernel> kernel, EagerTensorObject* const* inputs, SessionCore& core, PyObject* name);

/// The session for an operation on these: the current one; if there is none, the first tensor's.
RefPtr<SessionCore> core_for(EagerTensorObject* const* inputs, int count);

/// What the program called an operation; '' for None.
std::string text_of(PyObject* name);

/// Number of the device that the current operation of a session runs on.
int device_of_operation(const EagerContext& context);

}  // namespace tinytf::python
