#pragma once

#include <pybind11/pybind11.h>

#include <optional>

#include "python/context_frame.h"
#include "runtime/eager/eager_context.h"

namespace tinytf::python {

namespace py = pybind11;

/// The core of the session that operations run in: that of the innermost `with session:` of this Python context, else
/// the process's default session, which is made when first asked for. With the GIL held; it is the caller's.
RefPtr<SessionCore> current_core();
/// As above, but null instead of making the default session where there is none yet.
RefPtr<SessionCore> current_core_if_any();

/// Whether the calling context executes operations as they are called.
bool executing_eagerly();
/// Whether it was told to build graphs, for example by entering one.
bool building_graphs();

/// Number of the CPU device that its eager operations are to run on; below 0 for another kind of device.
int current_device();

/// This thread's eager operations run on that device for as long as it lives, whatever its context says.
class OnDevice {
 public:
  explicit OnDevice(int device);
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  const std::optional<int> before_;
};

/// A session in use: throws SessionClosedError if it is closed.
class InSession {
 public:
  explicit InSession(SessionCore& core);
  SessionCore& core() { return core_; }
  EagerContext& context() { return *static_cast<EagerContext*>(core_.operations().attached()); }

 private:
  SessionCore& core_;
  SessionCore::Entry entry_;
};

}  // namespace tinytf::python
