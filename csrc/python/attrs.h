#pragma once

#include <pybind11/pybind11.h>

#include "op/attr.h"
#include "op/op_def.h"

namespace tinytf::python {

namespace py = pybind11;

/// A Python value as an attr of the declared kind. Types are DataType numbers, shapes None or sequences, tensors
/// (ndarray, DataType number) pairs, functions names. Throws TypeError for a value of another kind.
AttrValue attr_from_python(py::handle value, AttrKind kind, bool is_list);
/// For attrs that no declaration names ("_class"): the kind follows from the Python type.
AttrValue undeclared_attr_from_python(py::handle value);

/// Attrs by name, of the kinds that `op` (may be null) declares; None: no attrs. TypeError as above.
AttrMap attrs_from_python(const OpDef* op, py::handle attrs);

/// (kind, value): kind as in declarations ("type", "list(int)"); strings come as bytes, types as numbers.
py::tuple attr_to_python(const AttrValue& value);

}  // namespace tinytf::python
