#pragma once

#include <pybind11/pybind11.h>

namespace tinytf::python {

/// For tests: has a Python function see, refuse and cut short what the engine does to files.
void bind_file_changes(pybind11::module_& m);

}  // namespace tinytf::python
