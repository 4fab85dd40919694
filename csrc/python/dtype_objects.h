#pragma once

#include <pybind11/pybind11.h>

#include "base/dtype.h"

namespace tinytf::python {

/// Returns the DType object of an existing dtype number; borrowed.
PyObject* dtype_object(DType dtype);
/// Sets the DType object of each dtype number. Called once, before the first tensor of eager execution is made.
void set_dtype_objects(const pybind11::dict& by_number);

}  // namespace tinytf::python
