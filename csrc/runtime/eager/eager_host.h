#pragma once

#include <string>

#include "base/function_ref.h"
#include "base/status.h"
#include "runtime/step/stop_check.h"

namespace tinytf {

/// What eager execution needs of the host language, whose program owns the values. Methods are called on the thread
/// that runs the operation, with the host's lock (Python's GIL) held. They may throw exceptions of the host language.
class EagerHost {
 public:
  /// Releases the host's lock, runs `work`, and returns its result. The Interrupt passed to `work` tells whether the
  /// program wants to stop; it may be null.
  virtual Status without_lock(FunctionRef<Status(Interrupt*)> work) = 0;
  /// Makes the host language drop unreachable values.
  virtual void collect_garbage() = 0;
  /// "file:line" of the program line that runs the operation; empty if unknown.
  virtual std::string place() = 0;
  /// Emits a warning.
  virtual void warn(const std::string& message) = 0;
  /// Logs information that the program requested.
  virtual void note(const std::string& message) = 0;

 protected:
  ~EagerHost() = default;
};

}  // namespace tinytf
