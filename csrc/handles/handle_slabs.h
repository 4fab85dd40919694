#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/function_ref.h"

namespace tinytf {

class TensorHandle;

/// The memory of one core's handles: slabs that grow and are freed with the core, so that memory of a handle is never
/// used for anything else while the core lives. Thread-safe; give_back is lock-free.
class HandleSlabs {
 public:
  HandleSlabs() = default;
  ~HandleSlabs();
  HandleSlabs(const HandleSlabs&) = delete;
  HandleSlabs& operator=(const HandleSlabs&) = delete;

  /// Returns a vacant handle, the most recently used one if possible. Null when memory is exhausted.
  TensorHandle* take() noexcept;
  /// Takes back a chain of vacant handles, linked by `queue_next` from `first` to `last`.
  void give_back(TensorHandle* first, TensorHandle* last) noexcept;

  /// Number of handles taken so far.
  int64_t taken() const { return taken_.load(std::memory_order_relaxed); }
  /// Calls `see` for every handle that was ever taken, whatever its state.
  void for_each(FunctionRef<void(TensorHandle&)> see) const;
  /// In a forked child: releases the lock, in case a thread that does not exist here was in `take`.
  void forget_other_threads() { busy_.clear(std::memory_order_relaxed); }

 private:
  struct Slab;
  TensorHandle* fresh() noexcept;

  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;  // guards vacant_ and growth, held for a few instructions
  TensorHandle* vacant_ = nullptr;
  std::atomic<int64_t> taken_{0};
  std::atomic<Slab*> newest_{nullptr};
  alignas(64) std::atomic<TensorHandle*> returned_{nullptr};  // given back, but not yet moved to vacant_
};

}  // namespace tinytf
