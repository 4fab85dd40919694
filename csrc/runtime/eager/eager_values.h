#pragma once

#include "handles/session_core.h"
#include "runtime/eager/eager_host.h"

namespace tinytf {

/// Origin of the error of reading a freed value.
class FreedValue final : public ErrorOrigin {
 public:
  explicit FreedValue(const TensorHandle& handle)
      : core_(&handle.core()), was_closed_(handle.state() == TensorHandle::State::kClosed) {}
  /// The value's session. Only for comparing addresses: it may be gone.
  const SessionCore* core() const { return core_; }
  /// Whether the program freed the value, rather than the close of its session.
  bool was_closed() const { return was_closed_; }

 private:
  const SessionCore* const core_;
  const bool was_closed_;
};

/// Cancelled, with a FreedValue as origin.
Status freed_value(const TensorHandle& handle);

/// The value of a handle, sharing its memory. Waits for a pending value, without the host's lock. The error of a
/// FreedValue if it was freed or its session is closed, else the error of the operation that should have made it. The
/// caller keeps the handle's owner alive. `inside`: the core that the caller is inside of, or null.
Result<Tensor> read_value(const TensorHandle& handle, const SessionCore* inside, EagerHost& host);

}  // namespace tinytf
