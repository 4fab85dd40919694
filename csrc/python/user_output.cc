#include "services/user_output.h"

#include <pybind11/pybind11.h>

#include <cstdio>

#include "python/bindings.h"
#include "python/with_gil.h"
#include "services/fork_gate.h"

namespace tinytf::python {
namespace {

int raise_interrupt(void*) {
  PyErr_SetNone(PyExc_KeyboardInterrupt);
  return -1;
}

/// Writes to the current sys.stdout or sys.stderr; returns false if there is none or it fails.
bool write_to_stream(std::string_view text, bool to_stderr) {
  PyObject* borrowed = PySys_GetObject(to_stderr ? "stderr" : "stdout");
  if (borrowed == nullptr || borrowed == Py_None) return false;
  const auto stream = py::reinterpret_borrow<py::object>(borrowed);  // The write may replace sys.stderr.
  try {
    stream.attr("write")(py::reinterpret_steal<py::object>(
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace")));
    if (py::hasattr(stream, "flush")) stream.attr("flush")();
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_KeyboardInterrupt)) return false;
    // Raised in the main thread as soon as it runs bytecode again, even if the process ignores SIGINT.
    Py_AddPendingCall(raise_interrupt, nullptr);
  }
  return true;
}

/// A failing stream must not fail the step, nor lose the text, which then goes to the process's own stream.
void write_to_python(std::string_view text, bool to_stderr) {
  if (interpreter_is_usable()) {
    const ForkGate::Outside waiting;  // While waiting for the GIL, which a forking thread may hold.
    const py::gil_scoped_acquire locked;
    if (write_to_stream(text, to_stderr)) return;
  }
  std::FILE* file = to_stderr ? stderr : stdout;
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
}

}  // namespace

void install_user_output() { set_user_output(write_to_python); }

}  // namespace tinytf::python
