#pragma once

#include <Python.h>
#include <unistd.h>

#include "services/float_mode.h"

namespace tinytf::python {

/// Whether Python code can still be run: not once the interpreter has begun to end.
inline bool interpreter_is_usable() {
  if (!Py_IsInitialized()) return false;
#if PY_VERSION_HEX >= 0x030D0000
  return !Py_IsFinalizing();
#else
  return !_Py_IsFinalizing();
#endif
}

/// Whether the calling thread has the GIL. PyGILState_Check says yes to every thread once a process has had two
/// interpreters.
inline bool has_gil() {
  if (!Py_IsInitialized()) return false;
#if PY_VERSION_HEX >= 0x030D0000
  const PyThreadState* current = PyThreadState_GetUnchecked();
#else
  const PyThreadState* current = _PyThreadState_UncheckedGet();
#endif
  return current != nullptr && current == PyGILState_GetThisThreadState();
}

/// Runs what may let go of the GIL for a while, as Python code does. A thread whose interpreter ends meanwhile stays in
/// here: see WithoutGil. `run` throws nothing itself.
template <class Run>
auto staying_at_exit(Run run) {
  try {
    return run();
  } catch (...) {
    for (;;) pause();
  }
}

/// Has the GIL while it lives, on a thread that has been without, also one that Python did not start, with floats as
/// Python knows them. For use outside of the ForkGate: who forks holds the GIL.
class WithGil {
 public:
  WithGil() : state_(staying_at_exit([] { return PyGILState_Ensure(); })) {}
  ~WithGil() {
    staying_at_exit([this] { PyGILState_Release(state_); });
  }
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;

 private:
  const PyGILState_STATE state_;
  const KeepDenormals ieee_;
};

}  // namespace tinytf::python
