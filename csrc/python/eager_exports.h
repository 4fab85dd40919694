#pragma once

#include <pybind11/pybind11.h>

#include "services/session_core.h"

namespace tinytf::python {

namespace py = pybind11;

/// A read-only array that shares the value's memory and is counted by the core until it goes; for rank 0 a NumPy scalar
/// or bytes. Strings are copied.
py::object export_array(const Tensor& value, SessionCore& core);

/// The buffer protocol of eager tensors: read-only, counted likewise. Strings, resources and bfloat16 have none.
int get_buffer(PyObject* tensor, Py_buffer* view, int flags);
void release_buffer(PyObject* tensor, Py_buffer* view);

/// A DLPack capsule: of version 1, read-only and counted likewise, if `versioned`; else with a copy, as older consumers
/// may write. BufferError for types that DLPack lacks.
py::object export_dlpack(const Tensor& value, SessionCore& core, bool versioned);

}  // namespace tinytf::python
