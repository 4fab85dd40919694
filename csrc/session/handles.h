#pragma once

#include <atomic>
#include <cstdint>

#include "base/function_ref.h"
#include "base/ref_ptr.h"
#include "session/core_points.h"
#include "session/core_stats.h"
#include "session/handle_slabs.h"
#include "session/tensor_handle.h"

namespace tinytf {

/// The handles of one core: their memory, their states, and the bytes that their values are charged with. Every handle
/// that is not vacant keeps the core. Thread-safe.
class CoreHandles {
 public:
  /// `life` is the reference count of `core`.
  CoreHandles(SessionCore& core, const RefCounted& life, const CorePoints& points)
      : core_(core), life_(life), points_(points) {
    life_.ref();  // of the units
  }

  // -- Making. Null when memory is out; then the value stays where it is.

  TensorHandle* make(Tensor&& value);
  /// Of a value that an asynchronous operation will yield.
  TensorHandle* make(DType dtype, RefPtr<AsyncValue>&& pending);
  /// Charges the value that has come for a handle which waits for it.
  void charge_arrived(TensorHandle& handle, const Tensor& value) noexcept;

  // -- The value goes, the owner stays.

  /// The value leaves the handle; false if it was freed before.
  bool take_value(TensorHandle* handle, HandleValue* value) noexcept;
  /// Frees the value now; false if it was freed before. The handle itself stays until it is dropped.
  bool close(TensorHandle* handle) noexcept {
    HandleValue value;
    return take_value(handle, &value);
  }
  /// The value, for whoever keeps it beyond the session; then as close. An invalid Tensor if it was freed.
  Tensor detach(TensorHandle* handle);
  /// Frees the value of every live handle.
  void invalidate_live() noexcept;

  // -- The owner goes.

  /// Whether the caller is the one to free a live handle, whose state is `to` now. One whose value went before becomes
  /// vacant, and the core may go with it.
  bool drop(TensorHandle& handle, TensorHandle::State to) noexcept {
    auto state = TensorHandle::State::kLive;
    if (handle.state_.compare_exchange_strong(state, to, std::memory_order_acq_rel, std::memory_order_acquire)) {
      return true;
    }
    vacate_freed(handle, state);
    return false;
  }
  /// Of a dropped handle: nobody waits for its value any more. The bytes that it is charged with, for good.
  int64_t part_with(TensorHandle& handle) noexcept {
    if (handle.pending_ == nullptr) return handle.bytes_.load(std::memory_order_relaxed);
    handle.pending_->unwant();
    int64_t bytes = 0;  // then nothing will come any more
    return handle.bytes_.compare_exchange_strong(bytes, TensorHandle::kUncharged, std::memory_order_relaxed) ? 0
                                                                                                             : bytes;
  }
  /// Frees a dropped handle; the core may go with it.
  void free(TensorHandle& handle) noexcept;
  /// Handles that were freed and are not given back yet.
  struct Batch {
    TensorHandle* first = nullptr;
    TensorHandle* last = nullptr;
    int64_t handles = 0, bytes = 0;
  };
  /// Frees the first handles of a chain of dropped ones; `chain` is the others then.
  Batch free_some(TensorHandle*& chain) noexcept;
  /// The core may go with them.
  void give_back(const Batch& batch) noexcept;

  // -- What keeps the core: its session, handles that are not vacant. Together they are one reference.

  void hold() noexcept {
    if (units_.fetch_add(1, std::memory_order_relaxed) == 0) life_.ref();
  }
  void release(int64_t count) noexcept {
    if (units_.fetch_sub(count, std::memory_order_acq_rel) == count) life_.unref();
  }
  /// Whether something can be dropped.
  bool any() const noexcept { return units_.load(std::memory_order_relaxed) > 1; }

  /// Calls `see` for every handle, whatever its state.
  void for_each(FunctionRef<void(TensorHandle&)> see) const { slabs_.for_each(see); }
  /// Bytes of live, queued and retained values.
  int64_t held_bytes() const { return bytes_.load(std::memory_order_relaxed); }
  // In the order in which handles go through their states, from the end: sums are not below what they should be.
  void count_freed(CoreStats& stats) const;
  /// Once the queued and retained ones are counted.
  void count_live(CoreStats& stats) const;
  /// In a forked child.
  void forget_other_threads() { slabs_.forget_other_threads(); }

 private:
  TensorHandle* take() noexcept;
  void charge(int64_t bytes) noexcept;
  /// Drops the value of a handle whose state is the caller's; the bytes that it was charged with.
  int64_t free_value(TensorHandle& handle) noexcept;
  void note_free_error(const char* what) noexcept;
  void vacate_freed(TensorHandle& handle, TensorHandle::State state) noexcept;

  SessionCore& core_;
  const RefCounted& life_;
  const CorePoints& points_;
  HandleSlabs slabs_;
  // What different threads write lies in different cache lines.
  alignas(64) std::atomic<int64_t> bytes_{0};
  std::atomic<int64_t> peak_bytes_{0};
  std::atomic<int64_t> units_{1};
  alignas(64) std::atomic<int64_t> freed_{0};
  std::atomic<int64_t> invalidated_{0}, errors_{0};
};

}  // namespace tinytf
