#pragma once

#include <pybind11/pybind11.h>

namespace tinytf::python {

/// Layout of all Python tensors: attributes of users, weak references, and the fields of tensors of graphs. It is a
/// type of C because `EagerTensor`, whose instances the garbage collector does not track, derives from Python's class
/// `Tensor`: a class with `__slots__` would hide its dictionary where only tracked objects have room for it.
struct TensorObject {
  PyObject_HEAD PyObject* attributes;  ///< null until a program sets one
  PyObject* weakrefs;
  // Null in tensors of eager execution.
  PyObject* op;
  PyObject* value_index;
  PyObject* dtype;
  PyObject* key;
};

inline TensorObject* as_tensor(PyObject* object) { return reinterpret_cast<TensorObject*>(object); }

}  // namespace tinytf::python
