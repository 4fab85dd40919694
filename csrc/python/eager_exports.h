#pragma once

#include <pybind11/pybind11.h>

#include "handles/session_core.h"

namespace tinytf::python {

namespace py = pybind11;

/// Returns a read-only array that shares the memory of the handle's value and counts as an export; for rank 0 a NumPy
/// scalar or bytes. Strings are copied.
py::object export_array(const Tensor& value, const TensorHandle& handle);

/// Buffer protocol of eager tensors: read-only, counted as an export. Not supported for strings, resources and
/// bfloat16.
int get_buffer(PyObject* tensor, Py_buffer* view, int flags);
void release_buffer(PyObject* tensor, Py_buffer* view);

}  // namespace tinytf::python
