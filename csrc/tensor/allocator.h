#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

#include "base/ref_ptr.h"

namespace tinytf {

class Buffer;

/// Gives large blocks back to the system on a thread of its own, as that may take milliseconds.
class BlockDisposer {
 public:
  /// Takes a block of so many bytes, which unmap_memory gives back. False if it does not: then the caller does.
  virtual bool dispose(void* block, size_t bytes) noexcept = 0;

 protected:
  ~BlockDisposer() = default;
};

/// Memory of one session (or of the process): 64-byte-aligned blocks in size classes, each with a free list, so that a
/// steady loop of steps never calls malloc. Thread-safe; when two threads meet at one free list, the second goes
/// to the system, as do blocks of a MiB and more that no list has. Each live buffer holds a reference, so the allocator
/// outlives its blocks; what its lists still hold is freed with it.
class Allocator final : public RefCounted {
 public:
  struct Stats {
    int64_t live_bytes = 0;    ///< in buffers now
    int64_t peak_bytes = 0;    ///< most that live_bytes has been
    int64_t pooled_bytes = 0;  ///< waiting in free lists
    int64_t allocations = 0;   ///< blocks handed out so far
    int64_t pool_hits = 0;     ///< … of which came from a free list
  };

  /// Where tensors outside any session live. Never destroyed.
  static Allocator& process();

  /// A buffer of at least `bytes` bytes, or null when memory is out. Contents are undefined.
  RefPtr<Buffer> allocate(size_t bytes);

  /// Most that buffers and free lists together take from the system; 0: whatever there is.
  void set_limit(int64_t bytes) { limit_.store(bytes > 0 ? bytes : INT64_MAX, std::memory_order_relaxed); }
  /// Called when memory is out or at its limit, with the bytes that are missing, to free buffers; true if it was worth
  /// its while: then allocate tries once more. Set and reset while nobody allocates.
  void set_relief(std::function<bool(int64_t)> relief) { relief_ = std::move(relief); }

  /// Where blocks of a MiB and more go that the free lists do not keep; null: they are freed in place. What was set
  /// before is not called any more when this returns.
  void set_disposer(BlockDisposer* disposer);

  /// Gives the blocks in the free lists back to the system.
  void trim();
  /// As trim, and from now on free lists keep nothing: few buffers will be asked for. Where much was kept, the C
  /// library is made to give it back too.
  void retire();
  Stats stats() const;

  /// Buffers with memory of any allocator that are alive in this process.
  static int64_t live_buffers();

 private:
  friend class PoolBuffer;
  ~Allocator() override;

  struct Block {
    Block* next;
  };
  struct FreeList {
    std::atomic_flag busy = ATOMIC_FLAG_INIT;
    Block* head = nullptr;
    std::atomic<int64_t> hits{0};  // changed by who is busy with the list, read by anybody
    std::atomic<int64_t> takes{0};
  };
  // Four classes per power of two from 128 bytes (header included) to 2^47.
  static constexpr int kClasses = 168;
  static int size_class(size_t block_bytes);
  static size_t class_bytes(int size_class);

  void give_back(void* block, int size_class) noexcept;
  void free_block(void* block, size_t bytes) noexcept;
  /// A block of a free list; null if there is none, or another thread is at the list.
  void* pooled_block(int size_class);
  /// A block of the system's, within the limit.
  void* new_block(size_t block_bytes);
  /// After `new_block` found none: a block, after all.
  void* block_after_relief(int size_class);

  FreeList lists_[kClasses];
  std::atomic<int64_t> live_bytes_{0};
  std::atomic<int64_t> peak_bytes_{0};
  std::atomic<int64_t> pooled_bytes_{0};
  std::atomic<int64_t> bypassed_{0};
  std::atomic<bool> retired_{false};
  std::atomic<int64_t> limit_{INT64_MAX};
  std::function<bool(int64_t)> relief_;
  std::mutex disposing_;
  std::atomic<BlockDisposer*> disposer_{nullptr};  // called with `disposing_` held
};

}  // namespace tinytf
