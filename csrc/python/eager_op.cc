#include "python/eager_op.h"

#include <algorithm>

namespace tinytf::python {

bool EagerOp::flatten(PyObject* inputs, EagerInputs& flat) const {
  const bool has_list = std::any_of(def().inputs.begin(), def().inputs.end(), [](auto& arg) { return arg.is_list(); });
  const Py_ssize_t count = PyTuple_GET_SIZE(inputs);
  if (static_cast<size_t>(count) != def().inputs.size()) {
    throw py::type_error(str_cat(def().name, " takes ", def().inputs.size(), " inputs, not ", count));
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* value = PyTuple_GET_ITEM(inputs, i);
    if (!def().inputs[i].is_list()) {
      if (!is_eager_tensor(value)) return false;
      flat.tensors.push_back(as_eager_tensor(value));
      if (has_list) flat.lengths.push_back(1);
      continue;
    }
    if (!PyList_CheckExact(value) && !PyTuple_CheckExact(value)) return false;
    const Py_ssize_t size = PySequence_Fast_GET_SIZE(value);
    for (Py_ssize_t k = 0; k < size; ++k) {
      PyObject* item = PySequence_Fast_GET_ITEM(value, k);
      if (!is_eager_tensor(item)) return false;
      flat.tensors.push_back(as_eager_tensor(item));
      if (PyList_CheckExact(value)) {
        Py_INCREF(item);
        flat.owned.push_back(item);
      }
    }
    flat.lengths.push_back(static_cast<int>(size));
  }
  return true;
}

}  // namespace tinytf::python
