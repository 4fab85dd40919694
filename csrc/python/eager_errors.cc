#include "python/eager_errors.h"

#include "base/str_cat.h"
#include "python/bindings.h"
#include "python/eager_sites.h"
#include "python/errors.h"
#include "runtime/eager/eager_values.h"

namespace tinytf::python {

namespace {
// Guarded by the GIL.
PyObject* closed_error_class = nullptr;  // Never released.
unsigned long ending_thread = 0;         // The thread that ends the process, 0 until then.
}  // namespace

void set_closed_error(py::object closed_error) { closed_error_class = closed_error.release().ptr(); }

void end_thread_at_exit() {
  if (ending_thread == 0 || PyThread_get_thread_ident() == ending_thread) return;
  PyErr_SetNone(PyExc_SystemExit);
  throw py::error_already_set();
}

void throw_closed(const std::string& message) {
  end_thread_at_exit();
  PyErr_SetString(closed_error_class != nullptr ? closed_error_class : PyExc_RuntimeError, message.c_str());
  throw py::error_already_set();
}

void throw_operation_error(const Status& status) {
  const auto* freed = dynamic_cast<const FreedValue*>(status.origin());
  if (freed == nullptr) {
    end_thread_at_exit();
    throw StatusException(status);
  }
  if (freed->was_closed()) throw_closed("The tensor was closed.");
  const std::string site = session_site(freed->core());
  throw_closed(str_cat("The session of this tensor", site.empty() ? "" : ", made at ", site, site.empty() ? "" : ",",
                       " has been closed, and its value freed with it. `detach()` keeps a value beyond its session."));
}

void bind_eager_errors(py::module_& m) {
  m.def(
      "end_eager_threads", [] { ending_thread = PyThread_get_thread_ident(); },
      "Tells the engine that this thread is ending the process: other threads end when they use a closed session.");
}

}  // namespace tinytf::python
