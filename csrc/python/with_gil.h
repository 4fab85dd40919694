#pragma once

#include <Python.h>
#include <unistd.h>

#include "services/float_mode.h"

namespace tinytf::python {

/// Whether Python code can still run: false once the interpreter has begun to end.
inline bool interpreter_is_usable() {
  if (!Py_IsInitialized()) return false;
#if PY_VERSION_HEX >= 0x030D0000
  return !Py_IsFinalizing();
#else
  return !_Py_IsFinalizing();
#endif
}

/// Whether the calling thread holds the GIL. PyGILState_Check returns true on every thread once a process has had two
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

/// Runs code that may release the GIL for a while, as Python code does. If the interpreter ends meanwhile, the thread
/// blocks here forever: see WithoutGil. `run` itself must not throw.
template <class Run>
auto staying_at_exit(Run run) {
  try {
    return run();
  } catch (...) {
    for (;;) pause();
  }
}

/// Holds the GIL while it lives, on a thread that did not hold it, including threads that Python did not start. Keeps
/// denormal floats, as Python does. Use it outside of the ForkGate, since a forking thread holds the GIL.
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
