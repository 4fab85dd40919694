#include "python/frozen_attrs.h"

#include <cstring>
#include <utility>

#include "base/dtype.h"
#include "python/dtype_objects.h"

namespace tinytf::python {

namespace {

/// Returns `value` in an immutable form that is cheap to compare; an empty object if it has none.
py::object frozen(PyObject* value) {
  if (value == Py_None || PyBool_Check(value) || PyLong_CheckExact(value) || PyFloat_CheckExact(value) ||
      PyUnicode_CheckExact(value) || PyBytes_CheckExact(value) ||
      Py_TYPE(value) == Py_TYPE(dtype_object(DType::kFloat))) {
    return py::reinterpret_borrow<py::object>(value);
  }
  if (!PyList_CheckExact(value) && !PyTuple_CheckExact(value)) return py::object();
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(value);
  py::tuple items(size);
  for (Py_ssize_t i = 0; i < size; ++i) {
    py::object item = frozen(PySequence_Fast_GET_ITEM(value, i));
    if (!item) return item;
    items[i] = std::move(item);
  }
  return std::move(items);
}

/// Whether `value` would freeze to `kept`.
bool same(PyObject* kept, PyObject* value) {
  if (PyTuple_CheckExact(kept)) {
    if (!PyList_CheckExact(value) && !PyTuple_CheckExact(value)) return false;
    const Py_ssize_t size = PyTuple_GET_SIZE(kept);
    if (PySequence_Fast_GET_SIZE(value) != size) return false;
    for (Py_ssize_t i = 0; i < size; ++i) {
      if (!same(PyTuple_GET_ITEM(kept, i), PySequence_Fast_GET_ITEM(value, i))) return false;
    }
    return true;
  }
  if (kept == value) return true;
  if (Py_TYPE(kept) != Py_TYPE(value)) return false;
  if (PyFloat_CheckExact(kept)) {  // -0.0 differs from 0.0.
    const double a = PyFloat_AS_DOUBLE(kept), b = PyFloat_AS_DOUBLE(value);
    return std::memcmp(&a, &b, sizeof a) == 0;
  }
  if (PyLong_CheckExact(kept) || PyUnicode_CheckExact(kept) || PyBytes_CheckExact(kept)) {
    return PyObject_RichCompareBool(kept, value, Py_EQ) == 1;
  }
  return false;
}

}  // namespace

bool freeze(PyObject* attrs, FrozenAttrs& kept) {
  if (attrs == Py_None) return true;
  Py_ssize_t position = 0;
  PyObject *name = nullptr, *value = nullptr;
  while (PyDict_Next(attrs, &position, &name, &value)) {
    py::object unchanging = frozen(value);
    if (!unchanging) return false;
    kept.push_back(py::reinterpret_borrow<py::object>(name));
    kept.push_back(std::move(unchanging));
  }
  return true;
}

bool same_attrs(const FrozenAttrs& kept, PyObject* attrs) {
  if (attrs == Py_None) return kept.empty();
  if (static_cast<size_t>(PyDict_GET_SIZE(attrs)) * 2 != kept.size()) return false;
  Py_ssize_t position = 0;
  PyObject *name = nullptr, *value = nullptr;
  for (size_t i = 0; PyDict_Next(attrs, &position, &name, &value); i += 2) {
    if (!same(kept[i].ptr(), name) || !same(kept[i + 1].ptr(), value)) return false;
  }
  return true;
}

}  // namespace tinytf::python
