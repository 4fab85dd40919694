#pragma once

#include <pybind11/pybind11.h>

namespace tinytf::python {

/// For tests: has one of the engine's requests for memory fail. Such requests go through an `operator new` of this
/// module's own, which other modules do not see.
void bind_allocation_faults(pybind11::module_& m);

}  // namespace tinytf::python
