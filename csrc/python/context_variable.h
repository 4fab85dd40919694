#pragma once

#include <pybind11/pybind11.h>

namespace tinytf::python {

namespace py = pybind11;

/// Keeps the collector away. Before CPython 3.12 it runs inside any allocation, also in the middle of a change to the
/// variables of a context, and what it finalizes (generators that nobody ended, inside `with` blocks) may change them
/// too: one of the two changes would be lost. From 3.12 on it runs between bytecodes only. With the GIL held.
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

/// Sets a context variable in the calling context. The value that it had may be finalized before this returns, which
/// may set variables in turn.
void set_context_variable(py::handle variable, py::handle value);

}  // namespace tinytf::python
