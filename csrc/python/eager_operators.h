#pragma once

#include <pybind11/pybind11.h>

#include <vector>

namespace tinytf::python {

/// Adds type slots for the Python operators that eager tensors implement in C because most programs use them: operands
/// of one dtype and session go straight to the kernel. All else is delegated to the operators of `base`, the tensor
/// class.
void add_operator_slots(std::vector<PyType_Slot>& slots, const pybind11::object& base);

}  // namespace tinytf::python
