#pragma once

#include <pybind11/pybind11.h>

#include "base/status.h"
#include "python/references.h"

namespace tinytf::python {

/// The Python exception that caused a Status. Any thread may hold it; reading it requires the GIL.
class __attribute__((visibility("hidden"))) RaisedException final : public ErrorOrigin {
 public:
  explicit RaisedException(const pybind11::object& exception) : exception_(exception.inc_ref().ptr()) {}
  ~RaisedException() override { give_up_reference(exception_); }
  RaisedException(const RaisedException&) = delete;
  RaisedException& operator=(const RaisedException&) = delete;

  PyObject* get() const { return exception_; }
  /// Whether it ends the program (KeyboardInterrupt, SystemExit) instead of being an error of the function that raised
  /// it.
  bool ends_more_than_the_step() const { return !PyErr_GivenExceptionMatches(exception_, PyExc_Exception); }

 private:
  PyObject* const exception_;
};

}  // namespace tinytf::python
