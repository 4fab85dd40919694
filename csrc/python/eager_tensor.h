#pragma once

#include <pybind11/pybind11.h>

#include "python/eager_tensor_object.h"

namespace tinytf::python {

namespace py = pybind11;

/// Returns a new tensor that takes over the handle; null with a MemoryError set if the handle is null.
PyObject* wrap_handle(TensorHandle* handle);

/// Returns the value, shared. Waits without the GIL until it is ready. Throws SessionClosedError if it was freed or its
/// session is closed, and the error of the operation that should have produced it. The caller must keep the Python
/// tensor alive. `inside`: a core for which the caller holds an Entry, or null.
Tensor value_of(EagerTensorObject* tensor, const SessionCore* inside);

}  // namespace tinytf::python
