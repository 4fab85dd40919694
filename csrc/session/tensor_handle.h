#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "base/ref_ptr.h"
#include "session/async_value.h"
#include "tensor/tensor.h"

namespace tinytf {

class SessionCore;

/// A value that has left its handle; it goes with this object, which may take long.
struct HandleValue {
  Tensor tensor;
  RefPtr<AsyncValue> pending;
};

/// One value of an eager session, held by one owner (a Python tensor). Lives in a slab of its core, at the same address
/// until the core goes, and is used again after it was freed. `state` moves by compare-and-swap only, and whoever wins
/// frees: exactly once. The value may be read by threads inside the core's gate, as long as the owner is there and
/// `CoreHandles::take_value` is kept from them: readers and takers that are not the same thread share a lock (Python's
/// are under the GIL, from `live()` to their copy of the value).
class TensorHandle {
 public:
  enum class State : uint8_t {
    kVacant,       ///< no value
    kLive,         ///< held by its owner
    kQueued,       ///< dropped, waits for the reaper or a safe point
    kRetained,     ///< dropped, waits for the session's close
    kClosed,       ///< freed ahead of its owner's end, by close_handle
    kInvalidated,  ///< freed ahead of its owner's end, by the session's close
  };

  State state() const { return state_.load(std::memory_order_acquire); }
  bool live() const { return state() == State::kLive; }
  SessionCore& core() const { return *core_; }
  /// Known even before the value is.
  DType dtype() const { return dtype_; }
  /// Whether the value is there, so that `tensor` may be used.
  bool ready() const { return pending_ == nullptr || pending_->done(); }
  /// Waits for the value; the error of the operation that should have made it. Not with the GIL held unless ready().
  Status wait() const { return pending_ == nullptr ? Status() : pending_->wait(); }
  /// After a successful wait().
  const Tensor& tensor() const { return pending_ == nullptr ? tensor_ : pending_->value(); }
  /// Null if the value was there when the handle was made.
  const RefPtr<AsyncValue>& pending() const { return pending_; }
  /// Bytes that the core was charged with for it.
  int64_t charged_bytes() const { return std::max<int64_t>(0, bytes_.load(std::memory_order_relaxed)); }

  int32_t device = 0;                  ///< number of the CPU device that made it
  TensorHandle* queue_next = nullptr;  ///< the queue's, or the list's of vacant handles

 private:
  friend class CoreHandles;
  std::atomic<State> state_{State::kVacant};
  DType dtype_ = DType::kInvalid;
  SessionCore* core_ = nullptr;
  std::atomic<int64_t> bytes_{0};  ///< charged to the core; kUncharged: nothing will be any more
  Tensor tensor_;
  RefPtr<AsyncValue> pending_;

  static constexpr int64_t kUncharged = -1;
};
static_assert(sizeof(TensorHandle) <= 128);

}  // namespace tinytf
