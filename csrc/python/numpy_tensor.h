#pragma once

#include <pybind11/pybind11.h>

#include "python/references.h"
#include "tensor/partial_shape.h"
#include "tensor/tensor.h"

namespace tinytf::python {

namespace py = pybind11;

/// Loads NumPy's C API. Call once from the module's init.
void init_numpy();

/// Returns the NumPy dtype of an element type (object for strings). Throws TypeError for types without one.
py::object numpy_dtype(DType dtype);

/// Returns a view of the value if that needs no conversion at all: an exact, aligned, C-contiguous ndarray of the right
/// dtype, a NumPy scalar of that dtype, or a Python float, int or bool for a numeric dtype that holds it. Otherwise
/// returns an invalid Tensor; never raises.
Tensor try_tensor_from_python(PyObject* value, DType dtype);

/// Converts the value as np.asarray(value, dtype) does; shares memory where NumPy does. Strings are copied.
Tensor tensor_from_python(py::handle value, DType dtype);

/// Returns an ndarray that owns the tensor's buffer (zero copy if `tensor` is its only owner and it is writable, else a
/// copy), or a NumPy scalar or bytes for rank 0.
py::object tensor_to_python(Tensor tensor);

/// Returns an ndarray with a copy of the elements, also for rank 0.
py::object tensor_to_array(const Tensor& tensor);

/// Returns a read-only ndarray that shares the memory of a numeric tensor, which `owner` keeps alive.
py::object readonly_view(const Tensor& tensor, py::object owner);

/// Returns the argument for a Python function of the program, which the function may modify: as tensor_to_python, but
/// zero copy if the function `may_change` the memory, even if it has other owners, and else a copy.
py::object tensor_to_argument(const Tensor& tensor, bool may_change);

/// Converts a value returned by a Python function of the program to a tensor of the dtype of np.asarray(value). Shares
/// memory that nothing else can write to, else copies. Internal error for values that no tensor holds; raises NumPy's
/// errors.
Result<Tensor> tensor_from_result(py::object value, Allocator& allocator);

/// Returns None, or a tuple with None for unknown sizes.
py::object shape_to_python(const PartialShape& shape);
/// Takes None (unknown rank) or a sequence of ints, negative or None for unknown.
PartialShape shape_from_python(py::handle shape);

}  // namespace tinytf::python
