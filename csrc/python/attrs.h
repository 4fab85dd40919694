#pragma once

#include <pybind11/pybind11.h>

#include "op/attr.h"
#include "op/op_def.h"

namespace tinytf::python {

namespace py = pybind11;

/// Converts a Python value to an attr of the declared kind. Types are DataType numbers, shapes None or sequences,
/// tensors (ndarray, DataType number) pairs, functions names. Throws TypeError for a value of another kind.
AttrValue attr_from_python(py::handle value, AttrKind kind, bool is_list);
/// Converts the value of an attr without a declaration ("_class"): the kind follows from the Python type.
AttrValue undeclared_attr_from_python(py::handle value);

/// Converts a dict of attrs to the kinds that `op` (may be null) declares; None means no attrs. Throws TypeError as
/// above.
AttrMap attrs_from_python(const OpDef* op, py::handle attrs);

/// Returns (kind, value): the kind as in declarations ("type", "list(int)"); strings become bytes, types numbers.
py::tuple attr_to_python(const AttrValue& value);

}  // namespace tinytf::python
