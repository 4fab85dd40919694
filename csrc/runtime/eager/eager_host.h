#pragma once

#include <string>

#include "base/function_ref.h"
#include "base/status.h"
#include "runtime/step/step_watch.h"

namespace tinytf {

/// What eager execution asks of the language whose program owns the values. Calls come on the thread that runs the
/// operation, under that language's lock; they may throw what only their callers catch.
class EagerHost {
 public:
  /// Runs `work`, which may take long, without that lock; what it is given says whether the program wants it to end,
  /// and may be null. What `work` returns.
  virtual Status without_lock(FunctionRef<Status(Interrupt*)> work) = 0;
  /// Has values dropped that the program does not reach any more.
  virtual void collect_garbage() = 0;
  /// "file:line" of the program's line that runs the operation; '' if it is not known.
  virtual std::string place() = 0;
  /// What the program should know.
  virtual void warn(const std::string& message) = 0;
  /// What it asked to see.
  virtual void note(const std::string& message) = 0;

 protected:
  ~EagerHost() = default;
};

}  // namespace tinytf
