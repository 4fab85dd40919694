#pragma once

#include <pybind11/pybind11.h>

namespace tinytf::python {

namespace py = pybind11;

/// Disables the garbage collector while it lives. Before CPython 3.12 it runs inside any allocation, also in the middle
/// of a change to a context's variables, and the objects that it finalizes (such as unfinished generators inside `with`
/// blocks) may change them too: one of the two changes would be lost. From 3.12 on it runs only between bytecodes.
/// Requires the GIL.
class NoCollection {
#if PY_VERSION_HEX < 0x030C0000
 public:
  NoCollection() : was_enabled_(PyGC_Disable() != 0) {}
  ~NoCollection() {
    if (was_enabled_) PyGC_Enable();
  }
  NoCollection(const NoCollection&) = delete;
  NoCollection& operator=(const NoCollection&) = delete;

 private:
  const bool was_enabled_;
#else
 public:
  NoCollection() {}  // NOLINT(modernize-use-equals-default): not an unused variable
#endif
};

/// Sets a context variable in the calling context. Its previous value may be finalized before this returns, and the
/// finalizer may set variables in turn.
void set_context_variable(py::handle variable, py::handle value);

}  // namespace tinytf::python
