#include "python/eager_host.h"

#include <pybind11/pybind11.h>

#include "python/bindings.h"
#include "python/references.h"
#include "python/signal_poll.h"
#include "python/without_gil.h"

namespace tinytf::python {

namespace {

namespace py = pybind11;

PyObject* users_line = nullptr;  // () -> "file:line"
PyObject* log_warning = nullptr;
PyObject* log_info = nullptr;

void call(PyObject* function, const std::string& message) {
  if (function != nullptr) py::reinterpret_borrow<py::object>(function)(message);
}

class PythonHost final : public EagerHost {
 public:
  /// Throws the exception that a signal handler raised meanwhile.
  Status without_lock(FunctionRef<Status(Interrupt*)> work) override {
    drop_pending_references();
    SignalPoll signals;
    Status ended;
    {
      WithoutGil others_may_run;
      ended = work(signals.interrupt());
    }
    drop_pending_references();
    signals.throw_if_raised();
    return ended;
  }

  /// Collects even if the program has disabled the collector. May run program code.
  void collect_garbage() override {
    static PyObject* collect = nullptr;  // Guarded by the GIL.
    if (collect == nullptr) collect = py::object(py::module_::import("gc").attr("collect")).release().ptr();
    py::reinterpret_borrow<py::object>(collect)();
  }

  std::string place() override {
    return users_line == nullptr ? std::string()
                                 : std::string(py::str(py::reinterpret_borrow<py::object>(users_line)()));
  }
  void warn(const std::string& message) override { call(log_warning, message); }
  void note(const std::string& message) override { call(log_info, message); }
};

PythonHost python_host;

}  // namespace

EagerHost& eager_host() { return python_host; }

void bind_eager_host(py::module_& m) {
  m.def(
      "set_eager_reports",
      [](py::object line, py::object warning, py::object note) {
        users_line = line.release().ptr();
        log_warning = warning.release().ptr();
        log_info = note.release().ptr();
      },
      py::arg("users_line"), py::arg("log_warning"), py::arg("log_info"),
      "Sets the functions that return the user's current line as text, log a warning, and log information that the "
      "program requested.");
}

}  // namespace tinytf::python
