#pragma once

#include <pybind11/pybind11.h>

#include "session/session_core.h"

namespace tinytf::python {

namespace py = pybind11;

/// A DLPack capsule of the handle's value: of version 1, read-only and an export, if `versioned`; else with a copy, as
/// older consumers may write. BufferError for types that DLPack lacks.
py::object export_dlpack(const Tensor& value, const TensorHandle& handle, bool versioned);

}  // namespace tinytf::python
