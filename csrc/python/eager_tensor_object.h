#pragma once

#include <cstdint>

#include "handles/session_core.h"
#include "python/tensor_fields.h"

namespace tinytf::python {

/// Python tensor of eager execution: owns one handle. It refers to no other Python objects except attributes set by the
/// program, so the garbage collector does not track it: a cycle through such an attribute is never freed.
struct EagerTensorObject {
  TensorObject base;
  TensorHandle* handle;
  int64_t id;  ///< Unique in the process.
};

/// The class made by `make_eager_tensor_type`; null before.
inline PyTypeObject* eager_tensor_type = nullptr;

inline bool is_eager_tensor(PyObject* object) { return Py_TYPE(object) == eager_tensor_type; }
inline EagerTensorObject* as_eager_tensor(PyObject* object) { return reinterpret_cast<EagerTensorObject*>(object); }

}  // namespace tinytf::python
