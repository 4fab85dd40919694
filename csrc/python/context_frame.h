#pragma once

#include <pybind11/pybind11.h>

#include "session/session_core.h"

namespace tinytf::python {

namespace py = pybind11;

/// How operations run, as far as it was said.
enum class Mode : int8_t {
  kDefault,  ///< executed in sessions that were entered, else as the process
  kGraph,    ///< they build graphs
  kEager,    ///< they are executed
};

/// What a Python context can enter.
enum class FrameKind : uint8_t { kSession, kMode, kDevice, kScope, kTape, kNoTapes };

/// What a Python context entered last, on what it entered before. A context variable holds the innermost frame, so that
/// frames follow threads, tasks of asyncio and copied contexts as every context variable does. A frame does not change,
/// and keeps what it refers to; leaving it takes it away wherever it is among the others. With the GIL held.
struct ContextFrame {
  PyObject_HEAD ContextFrame* below;  ///< owned; null: nothing was entered before
  ContextFrame* origin;  ///< owned: the frame that was entered, of which this is a copy on another one; null: itself
  PyObject* what;        ///< owned: the session, scope or tape; null for the other kinds
  SessionCore* core;     ///< owned: the innermost session's; null: no session was entered
  int64_t looked_at;     ///< how many frames had been ended from other contexts when those from here on were looked at
  int device;            ///< number of the CPU device for operations; below 0 for another kind of device
  Mode mode;
  FrameKind kind;
  bool ended;  ///< left in a context that does not have it
};

extern bool entered_kinds[6];  // by FrameKind
/// Whether any context has ever entered something of that kind: else nobody need look for it.
inline bool ever_entered(FrameKind kind) { return entered_kinds[static_cast<int>(kind)]; }

/// The innermost frame of the calling context, which keeps it; null if it has none. A few nanoseconds.
ContextFrame* current_frame();

/// Calls `see(frame)` for the frames of the calling context, innermost first, until it says false. It must not run
/// Python code.
template <class See>
void for_each_frame(See see) {
  for (ContextFrame* frame = current_frame(); frame != nullptr && see(*frame); frame = frame->below) {
  }
}

/// Enter something; the new frame is the caller's to leave.
py::object enter_session(py::handle session, SessionCore& core);
py::object enter_mode(Mode mode);
py::object enter_device(int device);
/// A scope, a tape, or (kNoTapes) a pause of those that record: `what` may be empty.
py::object enter(FrameKind kind, py::handle what);
/// Leaves a frame. In a context that does not have it: it is not there any more in those that do.
void leave_frame(py::handle frame);
/// Leaves the innermost frame of the calling context that refers to `what`; nothing happens if it has none.
void leave_last(py::handle what);

}  // namespace tinytf::python
