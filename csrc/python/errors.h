#pragma once

#include <pybind11/pybind11.h>

#include <exception>

#include "base/status.h"

namespace tinytf::python {

/// Carries a Status to Python, where the registered factory converts it to an exception.
class StatusException : public std::exception {
 public:
  explicit StatusException(Status status) : status_(std::move(status)) {}
  const Status& status() const { return status_; }
  const char* what() const noexcept override { return status_.message().c_str(); }

 private:
  Status status_;
};

/// Sets the status's exception as the current Python error, for code that Python calls without pybind11.
void set_python_error(const Status& status);

/// Runs a function that returns a new reference. If it throws, sets the Python error (MemoryError if memory is
/// exhausted) and returns null.
template <class F>
PyObject* guarded(F function) {
  try {
    return function();
  } catch (pybind11::error_already_set& e) {
    e.restore();
  } catch (const pybind11::builtin_exception& e) {
    e.set_error();
  } catch (const StatusException& e) {
    set_python_error(e.status());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
  return nullptr;
}

inline void throw_if_error(const Status& status) {
  if (!status.ok()) throw StatusException(status);
}

template <class T>
T value_or_throw(Result<T> result) {
  throw_if_error(result.status());
  return result.take();
}

}  // namespace tinytf::python
