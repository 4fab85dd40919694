#pragma once

#include <pybind11/pybind11.h>

#include "handles/session_core.h"
#include "python/tensor_fields.h"

namespace tinytf::python {

namespace py = pybind11;

/// Python tensor of eager execution: owns one handle. It refers to no other Python objects except attributes set by the
/// program, so the garbage collector does not track it: a cycle through such an attribute is never freed.
struct EagerTensorObject {
  TensorObject base;
  TensorHandle* handle;
  int64_t id;  ///< Unique in the process.
};

/// The class made by `make_eager_tensor_type`; null before.
extern PyTypeObject* eager_tensor_type;

inline bool is_eager_tensor(PyObject* object) { return Py_TYPE(object) == eager_tensor_type; }
inline EagerTensorObject* as_eager_tensor(PyObject* object) { return reinterpret_cast<EagerTensorObject*>(object); }

/// Returns a new tensor that takes over the handle; null with a MemoryError set if the handle is null.
PyObject* wrap_handle(TensorHandle* handle);

/// Returns the DType object of an existing dtype number; borrowed.
PyObject* dtype_object(DType dtype);

/// Ends the calling thread if another thread is ending the process without waiting for it: throws SystemExit, which
/// ends a Python thread silently, so that its `with` blocks are left and its locks released. Otherwise a no-op. Call it
/// when an operation failed, because the end of the process closes sessions and cancels waiting operations.
void end_thread_at_exit();
/// Raises SessionClosedError(message), unless end_thread_at_exit ends the thread.
[[noreturn]] void throw_closed(const std::string& message);
/// Raises the error of an operation or of an unreadable value, unless end_thread_at_exit ends the thread.
[[noreturn]] void throw_operation_error(const Status& status);

/// Returns the value, shared. Waits without the GIL until it is ready. Throws SessionClosedError if it was freed or its
/// session is closed, and the error of the operation that should have produced it. The caller must keep the Python
/// tensor alive. `inside`: a core for which the caller holds an Entry, or null.
Tensor value_of(EagerTensorObject* tensor, const SessionCore* inside);

}  // namespace tinytf::python
