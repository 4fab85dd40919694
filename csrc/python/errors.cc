#include "python/errors.h"

#include "python/bindings.h"
#include "python/raised_exception.h"

namespace tinytf::python {

namespace {

/// Makes an exception of (code, message); set by the Python package.
PyObject* error_factory = nullptr;

}  // namespace

void set_python_error(const Status& status) {
  const auto* raised = dynamic_cast<const RaisedException*>(status.origin());
  if (raised != nullptr && raised->ends_more_than_the_step()) {
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised->get())), raised->get());
    return;
  }
  if (error_factory == nullptr) {
    PyErr_SetString(PyExc_RuntimeError, status.to_string().c_str());
    return;
  }
  auto message = py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(status.message().data(), static_cast<Py_ssize_t>(status.message().size()), "replace"));
  auto error = py::reinterpret_steal<py::object>(
      PyObject_CallFunction(error_factory, "iO", static_cast<int>(status.code()), message.ptr()));
  if (!error) return;
  if (raised != nullptr) PyException_SetCause(error.ptr(), py::handle(raised->get()).inc_ref().ptr());
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
}

void bind_errors(py::module_& m) {
  m.def(
      "set_error_factory", [](py::object factory) { error_factory = factory.release().ptr(); }, py::arg("factory"),
      "Sets the function that creates the exception of a failed call: factory(code, message).");
  py::register_local_exception_translator([](std::exception_ptr pending) {
    try {
      if (pending) std::rethrow_exception(pending);
    } catch (const StatusException& e) {
      set_python_error(e.status());
    }
  });
}

}  // namespace tinytf::python
