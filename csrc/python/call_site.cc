#include <vector>

#include "python/bindings.h"
#include "python/errors.h"

namespace tinytf::python {

namespace {

/// A new reference to the instruction that the frame is at, as its attribute f_lasti.
py::object instruction_of(PyFrameObject* frame) {
#if PY_VERSION_HEX >= 0x030B0000
  PyObject* instruction = PyLong_FromLong(PyFrame_GetLasti(frame));
#else
  PyObject* instruction = PyObject_GetAttrString(reinterpret_cast<PyObject*>(frame), "f_lasti");
#endif
  if (instruction == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(instruction);
}

/// creation_site(depth): in C's convention, as every operation that is made asks.
PyObject* creation_site(PyObject*, PyObject* depth) {
  return guarded([&]() -> PyObject* {
    long to_skip = PyLong_AsLong(depth);
    if (to_skip == -1 && PyErr_Occurred()) throw py::error_already_set();
    std::vector<py::object> site;
    auto frame = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(PyEval_GetFrame()));
    while (frame) {
      auto* const raw = reinterpret_cast<PyFrameObject*>(frame.ptr());
      if (to_skip-- <= 0) {
        site.push_back(py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(PyFrame_GetCode(raw))));
        site.push_back(instruction_of(raw));
      }
      frame = py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(PyFrame_GetBack(raw)));
    }
    py::tuple result(site.size());
    for (size_t i = 0; i < site.size(); ++i) PyTuple_SET_ITEM(result.ptr(), i, site[i].release().ptr());
    return result.release().ptr();
  });
}

}  // namespace

void bind_call_site(py::module_& m) {
  static PyMethodDef method = {"creation_site", creation_site, METH_O,
                               "The frame `depth` calls above the calling one and those outside it: code and "
                               "instruction in turn, innermost first."};
  m.add_object("creation_site", py::reinterpret_steal<py::object>(PyCFunction_New(&method, nullptr)));
}

}  // namespace tinytf::python
