#pragma once

#include <pybind11/pybind11.h>

#include "handles/session_core.h"

namespace tinytf::python {

namespace py = pybind11;

/// How operations run in a context.
enum class Mode : int8_t {
  kDefault,  ///< Eager inside an entered session, else as the process-wide default says.
  kGraph,    ///< Operations build graphs.
  kEager,    ///< Operations are executed.
};

/// What a Python context can enter.
enum class FrameKind : uint8_t { kSession, kMode, kDevice, kScope, kTape, kNoTapes };

/// Entry of a Python context's stack of entered sessions, modes, devices, scopes and tapes. A context variable holds
/// the innermost frame, so frames follow threads, asyncio tasks and copied contexts like any context variable. A frame
/// does not change and keeps its referents alive; leaving it removes it from any position in the stack. Requires the
/// GIL.
struct ContextFrame {
  PyObject_HEAD ContextFrame* below;  ///< Owned; null for the bottom of the stack.
  /// Owned: the entered frame, if this is a copy of it on another stack; null for the entered frame itself.
  ContextFrame* origin;
  PyObject* what;     ///< Owned: the session, scope or tape; null for other kinds.
  SessionCore* core;  ///< Owned: core of the innermost session; null if no session was entered.
  /// Number of frames ended from other contexts when this stack was last searched for ended frames.
  int64_t looked_at;
  int device;  ///< Number of the CPU device for operations; negative for another kind of device.
  Mode mode;
  FrameKind kind;
  bool ended;  ///< Left in a context that does not contain it.
};

extern bool entered_kinds[6];  // Indexed by FrameKind.
/// Whether any context has ever entered a frame of that kind; if not, a search for one can be skipped.
inline bool ever_entered(FrameKind kind) { return entered_kinds[static_cast<int>(kind)]; }

/// Innermost frame of the calling context, which owns it; null if the context has none. Takes a few nanoseconds.
ContextFrame* current_frame();

/// Calls `see(frame)` for the frames of the calling context, innermost first, until it returns false. `see` must not
/// run Python code.
template <class See>
void for_each_frame(See see) {
  for (ContextFrame* frame = current_frame(); frame != nullptr && see(*frame); frame = frame->below) {
  }
}

/// These enter something and return the new frame, which the caller must leave.
py::object enter_session(py::handle session, SessionCore& core);
py::object enter_mode(Mode mode);
py::object enter_device(int device);
/// Enters a scope, a tape, or (kNoTapes) a pause of all recording tapes. `what` may be empty.
py::object enter(FrameKind kind, py::handle what);
/// Leaves a frame. If the calling context does not contain it, it is removed from the contexts that do.
void leave_frame(py::handle frame);
/// Leaves the innermost frame of the calling context that refers to `what`; no-op if there is none.
void leave_last(py::handle what);

}  // namespace tinytf::python
