#pragma once

#include <string>

#include "python/eager_current.h"
#include "python/eager_tensor_object.h"

namespace tinytf::python {

/// Runs an operation in a session and returns a new reference: None, a tensor, or a list with an entry for each
/// declared output. `name` (may be None) is only used in errors.
PyObject* run_eagerly(RefPtr<EagerKernel> kernel, EagerTensorObject* const* inputs, SessionCore& core, PyObject* name);

/// Session for an operation on these inputs: the current one; else that of the first input that belongs to one; else
/// the default session.
RefPtr<SessionCore> core_for(EagerTensorObject* const* inputs, int count);

/// The name that the program gave an operation; '' for None.
std::string text_of(PyObject* name);

/// Number of the device on which the calling context's operations in a session run.
int device_of_operation(const EagerContext& context);

}  // namespace tinytf::python
