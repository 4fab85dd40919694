#include "python/context_frame.h"

#include "python/bindings.h"
#include "python/context_variable.h"
#include "python/graph_endpoint.h"

namespace tinytf::python {

bool entered_kinds[6] = {};  // Indexed by FrameKind.

namespace {

// Never released.
PyObject* variable = nullptr;  // The context variable; null until the first frame is made.
PyTypeObject* frame_type = nullptr;

int64_t ended_elsewhere = 0;  // Number of frames that were left in a context that does not contain them.

ContextFrame* origin_of(ContextFrame* frame) { return frame->origin != nullptr ? frame->origin : frame; }

template <class T>
T* new_reference(T* object) {
  Py_XINCREF(reinterpret_cast<PyObject*>(object));
  return object;
}

// -- The type.

int traverse(PyObject* self, visitproc visit, void* arg) {
  auto* frame = reinterpret_cast<ContextFrame*>(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(frame->below);
  Py_VISIT(frame->origin);
  Py_VISIT(frame->what);
  return 0;
}

int clear(PyObject* self) {
  auto* frame = reinterpret_cast<ContextFrame*>(self);
  Py_CLEAR(frame->below);
  Py_CLEAR(frame->origin);
  Py_CLEAR(frame->what);
  return 0;
}

void dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clear(self);
  if (auto* core = reinterpret_cast<ContextFrame*>(self)->core) core->unref();
  type->tp_free(self);
  Py_DECREF(type);
}

PyTypeObject* make_type() {
  static PyType_Slot slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void*>(&dealloc)},
      {Py_tp_traverse, reinterpret_cast<void*>(&traverse)},
      {Py_tp_clear, reinterpret_cast<void*>(&clear)},
      {0, nullptr},
  };
  static PyType_Spec spec = {"tinytf._core.ContextFrame", sizeof(ContextFrame), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) throw py::error_already_set();
  return reinterpret_cast<PyTypeObject*>(type);
}

/// The properties that a frame sets itself; all others are inherited from the frame below.
struct Said {
  FrameKind kind;
  PyObject* what = nullptr;
  SessionCore* core = nullptr;
  Mode mode = Mode::kDefault;
  int device = 0;
};

/// Returns a new reference.
ContextFrame* make_frame(const Said& said, ContextFrame* below, ContextFrame* origin) {
  auto* frame = reinterpret_cast<ContextFrame*>(frame_type->tp_alloc(frame_type, 0));
  if (frame == nullptr) throw py::error_already_set();
  frame->below = new_reference(below);
  frame->origin = new_reference(origin);
  frame->what = new_reference(said.what);
  frame->core = said.kind == FrameKind::kSession ? said.core : below != nullptr ? below->core : nullptr;
  if (frame->core != nullptr) frame->core->ref();
  frame->looked_at = ended_elsewhere;
  frame->device = said.kind == FrameKind::kDevice ? said.device : below != nullptr ? below->device : 0;
  const bool has_mode = said.kind == FrameKind::kMode || said.kind == FrameKind::kSession;
  frame->mode = has_mode ? said.mode : below != nullptr ? below->mode : Mode::kDefault;
  frame->kind = said.kind;
  frame->ended = false;
  return frame;
}

/// Returns the frame stack without the frames for which `goes` is true: a new reference, or null if none remain.
template <class Goes>
ContextFrame* without(ContextFrame* frame, Goes goes) {
  if (frame == nullptr) return nullptr;
  ContextFrame* below = without(frame->below, goes);
  if (goes(origin_of(frame))) return below;
  const auto owned = py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(below));
  if (below == frame->below) return new_reference(frame);
  return make_frame({frame->kind, frame->what, frame->core, frame->mode, frame->device}, below, origin_of(frame));
}

/// Steals the reference. The previous value may be finalized before this returns, and its finalizers may enter and
/// leave frames.
void set_current(ContextFrame* frame) {
  const auto value = frame != nullptr ? py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(frame))
                                      : py::reinterpret_borrow<py::object>(Py_None);
  set_context_variable(variable, value);
}

py::object enter(const Said& said) {
  const NoCollection no_collection;
  if (variable == nullptr) {
    frame_type = make_type();
    variable = PyContextVar_New("tinytf_frame", nullptr);
    if (variable == nullptr) throw py::error_already_set();
  }
  ContextFrame* frame = make_frame(said, current_frame(), nullptr);
  auto kept = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(frame));
  set_current(frame);
  entered_kinds[static_cast<int>(said.kind)] = true;
  return kept;
}

/// Whether the calling context contains the frame or a copy of it.
bool has_frame(const ContextFrame* wanted) {
  bool found = false;
  for_each_frame([&](ContextFrame& frame) { return !(found = origin_of(&frame) == wanted); });
  return found;
}

ContextFrame* checked_frame(py::handle frame) {
  if (frame_type == nullptr || Py_TYPE(frame.ptr()) != frame_type)
    throw py::type_error("the argument is not a frame of the context");
  return reinterpret_cast<ContextFrame*>(frame.ptr());
}

/// Sessions that the calling context has entered, innermost last.
py::list entered_sessions() {
  py::list sessions;
  const auto kept = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(current_frame()));
  for_each_frame([&](ContextFrame& frame) {
    if (frame.kind == FrameKind::kSession) sessions.append(py::handle(frame.what));
    return true;
  });
  sessions.attr("reverse")();
  return sessions;
}

/// The innermost session that the calling context has entered, or None.
py::object entered_session() {
  PyObject* session = Py_None;
  for_each_frame([&](ContextFrame& frame) {
    if (frame.kind != FrameKind::kSession) return true;
    session = frame.what;
    return false;
  });
  return py::reinterpret_borrow<py::object>(session);
}

}  // namespace

ContextFrame* current_frame() {
  if (variable == nullptr) return nullptr;
  PyObject* value = nullptr;
  if (PyContextVar_Get(variable, nullptr, &value) < 0) throw py::error_already_set();
  if (value == nullptr) return nullptr;
  Py_DECREF(value);  // The context keeps it alive.
  if (Py_TYPE(value) != frame_type) return nullptr;
  auto* frame = reinterpret_cast<ContextFrame*>(value);
  if (frame->looked_at == ended_elsewhere) return frame;
  const NoCollection no_collection;
  ContextFrame* left = without(frame, [](const ContextFrame* entered) { return entered->ended; });
  if (left == frame) {
    // Set only on this frame: a frame on an ended one may also be in another context, which has to remove it too.
    frame->looked_at = ended_elsewhere;
    Py_DECREF(frame);
    return frame;
  }
  set_current(left);
  return current_frame();
}

py::object enter_session(py::handle session, SessionCore& core) {
  return enter(Said{FrameKind::kSession, session.ptr(), &core});
}

py::object enter_mode(Mode mode) { return enter(Said{FrameKind::kMode, nullptr, nullptr, mode}); }

py::object enter_device(int device) {
  return enter(Said{FrameKind::kDevice, nullptr, nullptr, Mode::kDefault, device});
}

py::object enter(FrameKind kind, py::handle what) { return enter(Said{kind, what.ptr()}); }

void leave_frame(py::handle object) {
  const NoCollection no_collection;
  ContextFrame* frame = checked_frame(object);
  ContextFrame* current = current_frame();
  if (current != nullptr && origin_of(current) == frame) {
    set_current(new_reference(current->below));
  } else if (has_frame(frame)) {
    set_current(without(current, [frame](const ContextFrame* entered) { return entered == frame; }));
  } else if (!frame->ended) {
    frame->ended = true;
    ++ended_elsewhere;
  }
}

void leave_last(py::handle what) {
  ContextFrame* last = nullptr;
  for_each_frame([&](ContextFrame& frame) {
    if (frame.what == what.ptr()) last = origin_of(&frame);
    return last == nullptr;
  });
  if (last != nullptr) leave_frame(reinterpret_cast<PyObject*>(last));
}

void bind_context_frame(py::module_& m) {
  m.def("enter_session", &enter_session, py::arg("session"), py::arg("core"),
        "From now on, operations of the calling context are executed in the session. Returns a frame for leave_frame.");
  m.def(
      "enter_mode", [](int mode) { return enter_mode(static_cast<Mode>(mode)); }, py::arg("mode"),
      "Sets how the calling context runs operations. 0: eagerly if a session is entered, else in the default mode of "
      "the process; 1: they build graphs; 2: eagerly. Returns a frame for leave_frame.");
  m.def("enter_device", &enter_device, py::arg("device"),
        "From now on, eager operations of the calling context run on the CPU device with this number. Returns a frame "
        "for leave_frame.");
  m.def("leave_frame", &leave_frame, py::arg("frame"),
        "Removes a frame from the context, at whatever position it is. Does nothing if the frame was already removed.");
  m.def(
      "has_frame", [](py::handle frame) { return has_frame(checked_frame(frame)); }, py::arg("frame"),
      "Whether the calling context has entered this frame and not left it.");
  m.def("entered_sessions", &entered_sessions,
        "Returns the sessions that the calling context has entered, innermost last.");
  m.def("entered_session", &entered_session,
        "Returns the innermost session that the calling context has entered, or None.");
}

}  // namespace tinytf::python
