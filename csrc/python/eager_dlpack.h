#pragma once

#include <pybind11/pybind11.h>

#include "handles/session_core.h"

namespace tinytf::python {

namespace py = pybind11;

/// Returns a DLPack capsule of the handle's value. If `versioned`, it is a version 1 capsule, read-only and counted as
/// an export; else it holds a copy, since older consumers may write to it. BufferError for dtypes that DLPack lacks.
py::object export_dlpack(const Tensor& value, const TensorHandle& handle, bool versioned);

}  // namespace tinytf::python
