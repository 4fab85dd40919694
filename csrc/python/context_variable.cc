#include "python/context_variable.h"

#include "python/bindings.h"

namespace tinytf::python {

namespace {

#if PY_VERSION_HEX < 0x030C0000
// Owned: a copy of the context in which the last collection began; null when no longer needed.
PyObject* kept = nullptr;
bool will_be_freed = false;  // A pending call that frees `kept` is queued.

int free_kept(void*) {
  will_be_freed = false;
  Py_CLEAR(kept);
  return 0;
}

/// Callback that the collector runs before and after a collection. Copying a context costs as much as an empty list.
PyObject* see_collection(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  if (count > 0 && PyUnicode_CompareWithASCIIString(arguments[0], "start") == 0) {
    PyObject* context = PyContext_CopyCurrent();
    if (context == nullptr) return nullptr;
    Py_XSETREF(kept, context);
  } else if (!will_be_freed && kept != nullptr) {
    // Not freed here: the ContextVar.set that triggered the collection is still running. If no pending call can be
    // queued, the next collection frees it.
    will_be_freed = Py_AddPendingCall(&free_kept, nullptr) == 0;
  }
  Py_RETURN_NONE;
}

PyMethodDef see_collection_method = {"tinytf_see_collection",
                                     reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&see_collection)),
                                     METH_FASTCALL, nullptr};
#endif

/// Before 3.12, CPython frees the variable tree that ContextVar.set is reading if a collection during it finalizes an
/// object that sets another variable, whatever code calls set. After this call, each collection keeps that tree alive
/// until the main thread runs bytecode again. Call once per interpreter.
void keep_contexts_in_collections() {
#if PY_VERSION_HEX < 0x030C0000
  const auto see = py::reinterpret_steal<py::object>(PyCFunction_New(&see_collection_method, nullptr));
  if (!see) throw py::error_already_set();
  py::module_::import("gc").attr("callbacks").attr("append")(see);
#endif
}

}  // namespace

void set_context_variable(py::handle variable, py::handle value) {
  const NoCollection no_collection;
  PyObject* token = PyContextVar_Set(variable.ptr(), value.ptr());
  if (token == nullptr) throw py::error_already_set();
  Py_DECREF(token);
}

void bind_context_variable(py::module_& m) {
  keep_contexts_in_collections();
  m.def("set_context_variable", &set_context_variable, py::arg("variable"), py::arg("value"),
        "Does `variable.set(value)` without creating a token, and never triggers a garbage collection meanwhile. "
        "Raises TypeError if `variable` is not a ContextVar.");
}

}  // namespace tinytf::python
