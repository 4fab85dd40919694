#pragma once

#include <exception>

#include "base/status.h"

namespace tinytf::python {

/// A Status on its way to Python, where it becomes the exception that the registered factory makes of it.
class StatusException : public std::exception {
 public:
  explicit StatusException(Status status) : status_(std::move(status)) {}
  const Status& status() const { return status_; }
  const char* what() const noexcept override { return status_.message().c_str(); }

 private:
  Status status_;
};

inline void throw_if_error(const Status& status) {
  if (!status.ok()) throw StatusException(status);
}

template <class T>
T value_or_throw(Result<T> result) {
  throw_if_error(result.status());
  return result.take();
}

}  // namespace tinytf::python
