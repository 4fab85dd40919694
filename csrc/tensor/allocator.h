#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/ref_ptr.h"

namespace tinytf {

class Buffer;

/// Memory of one session (or of the process): 64-byte-aligned blocks in size classes, each with a free list, so that a
/// steady loop of steps never calls malloc. Thread-safe and non-blocking: when two threads meet at one free list, the
/// second goes to the system allocator. Each live buffer holds a reference, so the allocator outlives its blocks; what
/// its lists still hold is freed with it.
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

  /// Gives the blocks in the free lists back to the system.
  void trim();
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
    int64_t hits = 0;
    int64_t takes = 0;
  };
  // Four classes per power of two from 128 bytes (header included) to 2^47.
  static constexpr int kClasses = 168;
  static int size_class(size_t block_bytes);
  static size_t class_bytes(int size_class);

  void give_back(void* block, int size_class) noexcept;

  FreeList lists_[kClasses];
  std::atomic<int64_t> live_bytes_{0};
  std::atomic<int64_t> peak_bytes_{0};
  std::atomic<int64_t> pooled_bytes_{0};
  std::atomic<int64_t> bypassed_{0};
};

}  // namespace tinytf
