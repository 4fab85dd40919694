#pragma once

#include <atomic>
#include <cstdint>

#include "base/function_ref.h"
#include "base/ref_ptr.h"
#include "handles/core_stats.h"
#include "handles/handle_slabs.h"
#include "handles/tensor_handle.h"
#include "handles/test_hooks.h"

namespace tinytf {

/// The handles of one core: their memory, their states, and the bytes charged for their values. Every handle that is
/// not vacant keeps the core alive. Thread-safe.
class CoreHandles {
 public:
  /// `life` is the reference count of `core`.
  CoreHandles(SessionCore& core, const RefCounted& life, const TestPoints& points)
      : core_(core), life_(life), points_(points) {
    life_.ref();  // held by the units
  }

  // -- Creation. The result is null when memory is exhausted; then the value is not moved from.

  TensorHandle* make(Tensor&& value);
  /// For a value that an asynchronous operation will yield.
  TensorHandle* make(DType dtype, RefPtr<AsyncValue>&& pending);
  /// Charges the value that has arrived for a waiting handle.
  void charge_arrived(TensorHandle& handle, const Tensor& value) noexcept;

  // -- Freeing the value while the owner exists.

  /// Moves the value out of the handle; false if it was freed before.
  bool take_value(TensorHandle* handle, HandleValue* value) noexcept;
  /// Frees the value now; false if it was freed before. The handle itself stays until it is dropped.
  bool close(TensorHandle* handle) noexcept {
    HandleValue value;
    return take_value(handle, &value);
  }
  /// Returns the value for use beyond the session, and closes the handle. Waits for the value. An invalid Tensor if it
  /// was freed before or its operation failed.
  Tensor detach(TensorHandle* handle);
  /// Frees the value of every live handle.
  void invalidate_live() noexcept;

  // -- Freeing dropped handles.

  /// Sets the state of a live handle to `to` and returns true: the caller has to free it. If its value was freed
  /// before, the handle becomes vacant, which may destroy the core.
  bool drop(TensorHandle& handle, TensorHandle::State to) noexcept {
    auto state = TensorHandle::State::kLive;
    if (handle.state_.compare_exchange_strong(state, to, std::memory_order_acq_rel, std::memory_order_acquire)) {
      return true;
    }
    vacate_freed(handle, state);
    return false;
  }
  /// Called for a dropped handle, whose value is no longer wanted. Returns the bytes charged for it, which do not
  /// change any more.
  int64_t part_with(TensorHandle& handle) noexcept {
    if (handle.pending_ == nullptr) return handle.bytes_.load(std::memory_order_relaxed);
    handle.pending_->unwant();
    int64_t bytes = 0;  // if nothing was charged yet, an arriving value will not be charged
    return handle.bytes_.compare_exchange_strong(bytes, TensorHandle::kUncharged, std::memory_order_relaxed) ? 0
                                                                                                             : bytes;
  }
  /// Frees a dropped handle; may destroy the core.
  void free(TensorHandle& handle) noexcept;
  /// Freed handles that are not given back yet.
  struct Batch {
    TensorHandle* first = nullptr;
    TensorHandle* last = nullptr;
    int64_t handles = 0, bytes = 0;
  };
  /// Frees the first handles of a chain of dropped ones and sets `chain` to the remaining ones.
  Batch free_some(TensorHandle*& chain) noexcept;
  /// Gives the handles back to the slabs; may destroy the core.
  void give_back(const Batch& batch) noexcept;

  // -- Units that keep the core alive: its session and all handles that are not vacant. Together they are one
  // reference.

  void hold() noexcept {
    if (units_.fetch_add(1, std::memory_order_relaxed) == 0) life_.ref();
  }
  void release(int64_t count) noexcept {
    if (units_.fetch_sub(count, std::memory_order_acq_rel) == count) life_.unref();
  }
  /// Whether there are handles that can be dropped.
  bool any() const noexcept { return units_.load(std::memory_order_relaxed) > 1; }

  /// Calls `see` for every handle, whatever its state.
  void for_each(FunctionRef<void(TensorHandle&)> see) const { slabs_.for_each(see); }
  /// Bytes of live, queued and retained values.
  int64_t held_bytes() const { return bytes_.load(std::memory_order_relaxed); }
  // Statistics. They are collected in the reverse order of a handle's states, so that a handle that changes its state
  // meanwhile counts as live, not twice.
  void count_freed(CoreStats& stats) const;
  /// Call it after the queued and retained handles were counted.
  void count_live(CoreStats& stats) const;
  /// Resets locks in a forked child.
  void forget_other_threads() { slabs_.forget_other_threads(); }

 private:
  TensorHandle* take() noexcept;
  void charge(int64_t bytes) noexcept;
  /// Frees the value of a handle whose state the caller has set. Returns the bytes that were charged for it.
  int64_t free_value(TensorHandle& handle) noexcept;
  void note_free_error(const char* what) noexcept;
  void vacate_freed(TensorHandle& handle, TensorHandle::State state) noexcept;

  SessionCore& core_;
  const RefCounted& life_;
  const TestPoints& points_;
  HandleSlabs slabs_;
  // Members that different threads write lie in different cache lines.
  alignas(64) std::atomic<int64_t> bytes_{0};
  std::atomic<int64_t> peak_bytes_{0};
  std::atomic<int64_t> units_{1};
  alignas(64) std::atomic<int64_t> freed_{0};
  std::atomic<int64_t> invalidated_{0}, errors_{0};
};

}  // namespace tinytf
