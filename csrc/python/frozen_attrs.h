#pragma once

#include <pybind11/pybind11.h>

#include <vector>

namespace tinytf::python {

namespace py = pybind11;

/// Attrs as a program passed them, in immutable values that are cheap to compare: name, value, name, value, …
using FrozenAttrs = std::vector<py::object>;

/// Freezes a dictionary of attrs (or None); returns false if one of the values cannot be frozen.
bool freeze(PyObject* attrs, FrozenAttrs& frozen);
/// Whether a dictionary of attrs (or None) would freeze to `frozen`.
bool same_attrs(const FrozenAttrs& frozen, PyObject* attrs);

}  // namespace tinytf::python
