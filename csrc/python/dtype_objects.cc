#include "python/dtype_objects.h"

namespace tinytf::python {

namespace py = pybind11;

namespace {
PyObject* dtype_objects[256];  // Indexed by dtype number; never released.
}

PyObject* dtype_object(DType dtype) { return dtype_objects[static_cast<int>(dtype)]; }

void set_dtype_objects(const py::dict& by_number) {
  for (auto [number, dtype] : by_number)
    dtype_objects[number.cast<int>()] = py::reinterpret_borrow<py::object>(dtype).release().ptr();
}

}  // namespace tinytf::python
