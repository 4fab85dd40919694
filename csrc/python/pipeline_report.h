#pragma once

#include <pybind11/pybind11.h>

namespace tinytf::python {

/// Call after bind_prepared_call.
void bind_pipeline_report(pybind11::module_& m);

}  // namespace tinytf::python
