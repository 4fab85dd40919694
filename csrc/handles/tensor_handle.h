#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "base/ref_ptr.h"
#include "handles/async_value.h"
#include "tensor/tensor.h"

namespace tinytf {

class SessionCore;

/// A value that was moved out of its handle. It is freed with this object, which may take long.
struct HandleValue {
  Tensor tensor;
  RefPtr<AsyncValue> pending;
};

/// One value of an eager session, held by one owner (a Python tensor). Lives in a slab of its core, at the same address
/// until the core is destroyed, and is reused after it was freed. `state` leaves kLive only by compare-and-swap, and
/// the thread that succeeds frees the value, exactly once. Threads inside the core's gate may read the value as long as
/// the owner exists and `CoreHandles::take_value` does not run concurrently: threads that read and threads that take
/// must share a lock (in Python the GIL, from `live()` to the copy of the value).
class TensorHandle {
 public:
  enum class State : uint8_t {
    kVacant,       ///< no value
    kLive,         ///< held by its owner
    kQueued,       ///< dropped; waits for the reaper or a safe point
    kRetained,     ///< dropped; waits for the session's close
    kClosed,       ///< value freed by close_handle, owner still exists
    kInvalidated,  ///< value freed by the session's close, owner still exists
  };

  State state() const { return state_.load(std::memory_order_acquire); }
  bool live() const { return state() == State::kLive; }
  SessionCore& core() const { return *core_; }
  /// Known even before the value arrives.
  DType dtype() const { return dtype_; }
  /// Whether the value has arrived, so that `tensor` may be used.
  bool ready() const { return pending_ == nullptr || pending_->done(); }
  /// Waits for the value and returns the error of the operation that should have made it, if it failed. Must not be
  /// called with the GIL held unless ready().
  Status wait() const { return pending_ == nullptr ? Status() : pending_->wait(); }
  /// Valid only after a successful wait().
  const Tensor& tensor() const { return pending_ == nullptr ? tensor_ : pending_->value(); }
  /// Null if the value existed when the handle was made.
  const RefPtr<AsyncValue>& pending() const { return pending_; }
  /// Bytes that the core is charged with for it.
  int64_t charged_bytes() const { return std::max<int64_t>(0, bytes_.load(std::memory_order_relaxed)); }

  int32_t device = 0;                  ///< number of the CPU device that made the value
  TensorHandle* queue_next = nullptr;  ///< link in a queue or in the list of vacant handles

 private:
  friend class CoreHandles;
  std::atomic<State> state_{State::kVacant};
  DType dtype_ = DType::kInvalid;
  SessionCore* core_ = nullptr;
  std::atomic<int64_t> bytes_{0};  ///< charged to the core; kUncharged: none will be charged any more
  Tensor tensor_;
  RefPtr<AsyncValue> pending_;

  static constexpr int64_t kUncharged = -1;
};
static_assert(sizeof(TensorHandle) <= 128);

}  // namespace tinytf
