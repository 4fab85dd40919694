#pragma once

#include <pybind11/pybind11.h>

namespace tinytf::python {

/// Layout of all Python tensors: user attributes, weak references, and the fields of graph tensors. It is a C type
/// because `EagerTensor`, whose instances the garbage collector does not track, derives from the Python class `Tensor`:
/// a class with `__slots__` would keep its dictionary where only tracked objects have room for it.
struct TensorObject {
  PyObject_HEAD PyObject* attributes;  ///< Null until a program sets an attribute.
  PyObject* weakrefs;
  // Null in tensors of eager execution.
  PyObject* op;
  PyObject* value_index;
  PyObject* dtype;
  PyObject* key;
};

inline TensorObject* as_tensor(PyObject* object) { return reinterpret_cast<TensorObject*>(object); }

}  // namespace tinytf::python
