#include "python/eager_current.h"

#include <atomic>

#include "python/bindings.h"
#include "python/eager_tensor.h"
#include "python/graph_endpoint.h"

namespace tinytf::python {

namespace {

// What Python told us; kept for ever. A context variable whose value is a capsule of a core, or None.
PyObject* session_variable = nullptr;
PyObject* make_default = nullptr;  // called without arguments; then default_core is set
RefPtr<SessionCore>& default_core() {
  static auto* core = new RefPtr<SessionCore>;  // leaked: tensors may be dropped after the statics are gone
  return *core;
}
constexpr const char* kCapsule = "tinytf.SessionCore";

// How operations of a thread run, as far as it was said.
enum class Mode : int8_t { kDefault, kGraph, kEager };
thread_local Mode thread_mode = Mode::kDefault;
std::atomic<bool> eager_by_default{false};
thread_local int thread_device = 0;

SessionCore* entered_core() {
  if (session_variable == nullptr) return nullptr;
  PyObject* value = nullptr;
  if (PyContextVar_Get(session_variable, nullptr, &value) < 0) throw py::error_already_set();
  if (value == nullptr) return nullptr;
  SessionCore* core = nullptr;
  if (PyCapsule_CheckExact(value)) core = static_cast<SessionCore*>(PyCapsule_GetPointer(value, kCapsule));
  Py_DECREF(value);  // the context keeps it
  return core;
}

}  // namespace

RefPtr<SessionCore> current_core_if_any() {
  if (SessionCore* core = entered_core()) return RefPtr<SessionCore>::share(core);
  return default_core();
}

RefPtr<SessionCore> current_core() {
  RefPtr<SessionCore> core = current_core_if_any();
  if (core) return core;
  if (make_default != nullptr) py::reinterpret_borrow<py::object>(make_default)();
  if (!default_core()) throw_closed("There is no eager session.");
  return default_core();
}

bool executing_eagerly() {
  if (thread_mode != Mode::kDefault) return thread_mode == Mode::kEager;
  return eager_by_default.load(std::memory_order_relaxed) || entered_core() != nullptr;
}

bool building_graphs() { return thread_mode == Mode::kGraph; }

int current_device() { return thread_device; }

OnDevice::OnDevice(int device) : before_(thread_device) { thread_device = device; }

OnDevice::~OnDevice() { thread_device = before_; }

InSession::InSession(SessionCore& core) : core_(core), entry_(core) {
  if (!entry_) throw_closed("Eager session has been closed");
}

void bind_eager_current(py::module_& m) {
  m.def(
      "set_session_variable", [](py::object variable) { session_variable = variable.release().ptr(); },
      py::arg("variable"), "A context variable: the capsule of the core of the session that was entered, or None.");
  m.def(
      "set_default_session_factory", [](py::object factory) { make_default = factory.release().ptr(); },
      py::arg("factory"), "factory() makes the default session and calls set_default_core.");
  m.def(
      "set_default_core", [](SessionCore* core) { default_core() = RefPtr<SessionCore>::share(core); },
      py::arg("core"));
  m.def(
      "core_capsule",
      [](SessionCore& core) {
        core.ref();
        return py::capsule(&core, kCapsule, [](void* kept) { static_cast<SessionCore*>(kept)->unref(); });
      },
      py::arg("core"));
  static PyMethodDef executing = {"executing_eagerly",
                                  [](PyObject*, PyObject*) { return PyBool_FromLong(executing_eagerly()); },
                                  METH_NOARGS, "Whether this thread executes operations as they are called."};
  m.add_object("executing_eagerly", py::reinterpret_steal<py::object>(PyCFunction_New(&executing, nullptr)));
  m.def(
      "set_thread_mode",
      [](int mode) {
        const int before = static_cast<int>(thread_mode);
        thread_mode = static_cast<Mode>(mode);
        return before;
      },
      py::arg("mode"),
      "0: executed in sessions that were entered, else as the process, 1: operations build graphs, 2: they are "
      "executed. Returns what it was.");
  m.def(
      "set_thread_device",
      [](int device) {
        const int before = thread_device;
        thread_device = device;
        return before;
      },
      py::arg("device"), "Number of the CPU device for this thread's eager operations. Returns what it was.");
  m.def(
      "set_eager_by_default", [](bool eager) { eager_by_default = eager; }, py::arg("eager"),
      "How operations run on threads that did not say.");
}

}  // namespace tinytf::python
