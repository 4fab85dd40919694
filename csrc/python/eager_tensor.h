#pragma once

#include <pybind11/pybind11.h>

#include "python/tensor_fields.h"
#include "session/session_core.h"

namespace tinytf::python {

namespace py = pybind11;

/// A Python tensor of eager execution: the owner of one handle. Refers to no other Python object but for attributes
/// that a program sets, so the garbage collector does not track it: it is not freed if it is part of a cycle through
/// those.
struct EagerTensorObject {
  TensorObject base;
  TensorHandle* handle;
  int64_t id;  ///< unique in the process
};

/// What `make_eager_tensor_type` made; null before.
extern PyTypeObject* eager_tensor_type;

inline bool is_eager_tensor(PyObject* object) { return Py_TYPE(object) == eager_tensor_type; }
inline EagerTensorObject* as_eager_tensor(PyObject* object) { return reinterpret_cast<EagerTensorObject*>(object); }

/// A tensor that takes over the handle; MemoryError if that is null.
PyObject* wrap_handle(TensorHandle* handle);

/// The DType object of a number; borrowed. For numbers that exist.
PyObject* dtype_object(DType dtype);

/// Ends the calling thread where the process has come to its end on another one, which does not wait for it: throws a
/// SystemExit, which Python's threads end with in silence, so that their blocks are left and locks released. Else does
/// nothing. For threads whose operation failed, as the end closes sessions and cancels what waits.
void end_thread_at_exit();
/// Raises SessionClosedError(message), but see end_thread_at_exit.
[[noreturn]] void throw_closed(const std::string& message);
/// Raises the error of an operation, or of a value that cannot be read; but see end_thread_at_exit.
[[noreturn]] void throw_operation_error(const Status& status);

/// The value, shared. Waits for it without the GIL if it is not there yet. Throws SessionClosedError if it was freed or
/// its session is closed, and the error of the operation that should have made it. The caller keeps the Python tensor
/// alive. `inside`: a core of which the caller is inside an Entry, or null.
Tensor value_of(EagerTensorObject* tensor, const SessionCore* inside);

}  // namespace tinytf::python
