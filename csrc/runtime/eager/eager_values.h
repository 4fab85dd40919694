#pragma once

#include "runtime/eager/eager_host.h"
#include "session/session_core.h"

namespace tinytf {

/// Why a value cannot be read: it was freed, ahead of its owner's end or with its session.
class FreedValue final : public ErrorOrigin {
 public:
  explicit FreedValue(const TensorHandle& handle)
      : core_(&handle.core()), was_closed_(handle.state() == TensorHandle::State::kClosed) {}
  /// Of the session; only its address counts.
  const SessionCore* core() const { return core_; }
  /// By the program, not by its session's close.
  bool was_closed() const { return was_closed_; }

 private:
  const SessionCore* const core_;
  const bool was_closed_;
};

/// Cancelled, of a FreedValue.
Status freed_value(const TensorHandle& handle);

/// The value, shared. Waits for it without the host's lock if it is not there yet. A FreedValue if it was freed or its
/// session is closed, or the error of the operation that should have made it. The caller keeps the handle's owner
/// alive. `inside`: a core of which the caller is inside an Entry, or null.
Result<Tensor> read_value(const TensorHandle& handle, const SessionCore* inside, EagerHost& host);

}  // namespace tinytf
