#pragma once

#include <pybind11/pybind11.h>

namespace tinytf::python {

/// For tests: lets a Python function observe, reject and truncate the engine's file operations.
void bind_file_changes(pybind11::module_& m);

}  // namespace tinytf::python
