#pragma once

#include <pybind11/pybind11.h>

namespace tinytf::python {

/// For tests: lets one of the engine's memory requests fail. These requests use this module's own `operator new`, which
/// other modules do not see.
void bind_allocation_faults(pybind11::module_& m);

}  // namespace tinytf::python
