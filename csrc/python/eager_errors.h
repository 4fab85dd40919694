#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "base/status.h"

namespace tinytf::python {

namespace py = pybind11;

/// Sets the class SessionClosedError. Called once, before the first tensor of eager execution is made.
void set_closed_error(py::object closed_error);

/// Ends the calling thread if another thread is ending the process without waiting for it: throws SystemExit, which
/// ends a Python thread silently, so that its `with` blocks are left and its locks released. Otherwise a no-op. Call it
/// when an operation failed, because the end of the process closes sessions and cancels waiting operations.
void end_thread_at_exit();
/// Raises SessionClosedError(message), unless end_thread_at_exit ends the thread.
[[noreturn]] void throw_closed(const std::string& message);
/// Raises the error of an operation or of an unreadable value, unless end_thread_at_exit ends the thread.
[[noreturn]] void throw_operation_error(const Status& status);

}  // namespace tinytf::python
