#pragma once

#include <pybind11/pybind11.h>

#include <optional>

#include "python/context_frame.h"
#include "runtime/eager/eager_context.h"

namespace tinytf::python {

namespace py = pybind11;

/// Core of the session that operations run in: the innermost `with session:` of this Python context, else the process's
/// default session, which is created on first use. Requires the GIL. The caller owns the reference.
RefPtr<SessionCore> current_core();
/// Same, but returns null instead of creating the default session.
RefPtr<SessionCore> current_core_if_any();

/// Whether the calling context executes operations eagerly.
bool executing_eagerly();
/// Whether the calling context was told to build graphs, for example by entering one.
bool building_graphs();

/// Number of the CPU device for the context's eager operations; negative for another kind of device.
int current_device();

/// While this object lives, this thread's eager operations run on that device, whatever the context says.
class OnDevice {
 public:
  explicit OnDevice(int device);
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  const std::optional<int> before_;
};

/// Keeps a session in use while it lives. The constructor throws SessionClosedError if the session is closed.
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
