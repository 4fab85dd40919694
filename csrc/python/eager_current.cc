#include "python/eager_current.h"

#include <atomic>

#include "python/bindings.h"
#include "python/eager_errors.h"
#include "python/graph_endpoint.h"

namespace tinytf::python {

namespace {

// Registered by Python; never released.
PyObject* make_default = nullptr;  // Callable without arguments that sets default_core.
RefPtr<SessionCore>& default_core() {
  static auto* core = new RefPtr<SessionCore>;  // Leaked: tensors may be dropped after static destruction.
  return *core;
}

std::atomic<bool> eager_by_default{false};
thread_local std::optional<int> forced_device;

SessionCore* entered_core() {
  const ContextFrame* frame = current_frame();
  return frame != nullptr ? frame->core : nullptr;
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
  const ContextFrame* frame = current_frame();
  if (frame != nullptr && frame->mode != Mode::kDefault) return frame->mode == Mode::kEager;
  return eager_by_default.load(std::memory_order_relaxed) || (frame != nullptr && frame->core != nullptr);
}

bool building_graphs() {
  const ContextFrame* frame = current_frame();
  return frame != nullptr && frame->mode == Mode::kGraph;
}

int current_device() {
  if (forced_device) return *forced_device;
  const ContextFrame* frame = ever_entered(FrameKind::kDevice) ? current_frame() : nullptr;
  return frame != nullptr ? frame->device : 0;
}

OnDevice::OnDevice(int device) : before_(forced_device) { forced_device = device; }

OnDevice::~OnDevice() { forced_device = before_; }

InSession::InSession(SessionCore& core) : core_(core), entry_(core) {
  if (!entry_) throw_closed("Eager session has been closed");
}

void bind_eager_current(py::module_& m) {
  m.def(
      "set_default_session_factory", [](py::object factory) { make_default = factory.release().ptr(); },
      py::arg("factory"), "Sets the function that creates the default session and calls set_default_core.");
  m.def(
      "set_default_core", [](SessionCore* core) { default_core() = RefPtr<SessionCore>::share(core); },
      py::arg("core"));
  m.def(
      "call_inside",
      [](const py::object& function, const py::tuple& args) {
        const RefPtr<SessionCore> core = current_core();
        const InSession session(*core);
        return function(*args);
      },
      py::arg("function"), py::arg("args"),
      "Calls function(*args) as part of an operation of the current session, which cannot be closed meanwhile.");
  static PyMethodDef executing = {"executing_eagerly",
                                  [](PyObject*, PyObject*) { return PyBool_FromLong(executing_eagerly()); },
                                  METH_NOARGS, "Whether the calling context executes operations eagerly."};
  m.add_object("executing_eagerly", py::reinterpret_steal<py::object>(PyCFunction_New(&executing, nullptr)));
  m.def(
      "set_eager_by_default", [](bool eager) { eager_by_default = eager; }, py::arg("eager"),
      "Sets whether contexts without a mode of their own execute operations eagerly.");
}

}  // namespace tinytf::python
