#pragma once

#include <pybind11/pybind11.h>

#include "python/references.h"
#include "tensor/partial_shape.h"
#include "tensor/tensor.h"

namespace tinytf::python {

namespace py = pybind11;

/// Loads NumPy's C API; call once from the module's init.
void init_numpy();

/// The NumPy dtype of an element type (object for strings); throws TypeError for types without one.
py::object numpy_dtype(DType dtype);

/// A view of the value if that needs no conversion at all: an exact, aligned, C-contiguous ndarray of the right dtype,
/// a NumPy scalar of that dtype, or a Python float, int or bool for a numeric dtype that holds it. Invalid Tensor
/// otherwise; never raises.
Tensor try_tensor_from_python(PyObject* value, DType dtype);

/// The value converted as np.asarray(value, dtype) converts it; shares memory where NumPy does. Strings are copied.
Tensor tensor_from_python(py::handle value, DType dtype);

/// An ndarray that owns the tensor's buffer (zero copy if `tensor` is its only owner and may be written, else a copy);
/// a NumPy scalar, or bytes, for rank 0.
py::object tensor_to_python(Tensor tensor);

/// A read-only or owned ndarray also for rank 0.
py::object tensor_to_array(const Tensor& tensor);

/// A read-only ndarray that shares the memory of a numeric tensor, which `owner` keeps alive.
py::object readonly_view(const Tensor& tensor, py::object owner);

/// What a function of the program gets for a value, to change as it likes: as tensor_to_python, but zero copy if the
/// function `may_change` the memory, whoever else owns it, and else a copy.
py::object tensor_to_argument(const Tensor& tensor, bool may_change);

/// A value that a function of the program returned, of the type that np.asarray(value) has. Shares memory that nobody
/// else can write to, copies what others hold. Internal for values that no tensor holds; raises what NumPy raises.
Result<Tensor> tensor_from_result(py::object value, Allocator& allocator);

/// None, or a tuple with None for unknown sizes.
py::object shape_to_python(const PartialShape& shape);
/// None (unknown rank) or a sequence of ints, negative or None for unknown.
PartialShape shape_from_python(py::handle shape);

}  // namespace tinytf::python
