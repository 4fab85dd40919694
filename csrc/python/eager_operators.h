#pragma once

#include <pybind11/pybind11.h>

#include <vector>

namespace tinytf::python {

/// The slots of Python's operators that eager tensors have of their own, because most programs use them: operands of
/// one type and session go straight to the kernel. Everything else goes to the operators of `base`, the tensor class.
void add_operator_slots(std::vector<PyType_Slot>& slots, const pybind11::object& base);

}  // namespace tinytf::python
