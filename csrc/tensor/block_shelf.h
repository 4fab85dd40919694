#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/thread_slot.h"

namespace tinytf {

/// Memory of one buffer: 64 bytes for the buffer itself, in which this lies while it is in a free list, and its data.
/// Small blocks have both in one piece; large ones have a header apart, so that a power of two takes no more.
struct MemoryBlock {
  MemoryBlock* next;
  void* data;
  int size_class;
};

/// What one thread takes of an allocator without meeting others: free blocks of the small size classes, a few of each,
/// and a share of the counts. Others may come here too, to empty it or where there are more threads than shelves, so
/// that who is here holds `busy`; a thread alone at its shelf pays for one exchange. Counts are written by who is here
/// and read by anybody.
struct alignas(64) BlockShelf {
  static constexpr int kClasses = 33;                       // up to 16 KiB of data
  static constexpr int64_t kMostBytes = int64_t{32} << 10;  // of one class

  std::atomic_flag busy = ATOMIC_FLAG_INIT;
  bool orphaned = false;            // nobody will ask the allocator for a buffer any more
  std::atomic<int64_t> buffers{0};  // made here, less those that were freed here
  std::atomic<int64_t> bytes{0};    // of theirs
  std::atomic<int64_t> told{0};     // bytes that the allocator was told: `bytes`, or a little more
  std::atomic<int64_t> hits{0};     // blocks that were taken from here
  std::atomic<int64_t> hits_at_decay{0};
  MemoryBlock* heads[kClasses] = {};
  uint16_t counts[kClasses] = {};

  /// Blocks of so many bytes that lie here at most: few, as what one thread frees serves no other until it leaves.
  static constexpr int most(size_t block_bytes) {
    const size_t fit = static_cast<size_t>(kMostBytes) / block_bytes;
    return static_cast<int>(fit < 32 ? fit : 32);
  }

  // For who is here.
  MemoryBlock* pop(int size_class) noexcept {
    MemoryBlock* const block = heads[size_class];
    if (block == nullptr) return nullptr;
    heads[size_class] = block->next;
    --counts[size_class];
    return block;
  }
  void push(MemoryBlock* block) noexcept {
    block->next = heads[block->size_class];
    heads[block->size_class] = block;
    ++counts[block->size_class];
  }
  static void add(std::atomic<int64_t>& count, int64_t more) noexcept {
    count.store(count.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }
};

/// The shelves of one allocator.
class BlockShelves {
 public:
  /// The caller is at the shelf that this returns until it leaves: this thread's, or another where somebody stays
  /// there, who may have stayed in a forked parent. Waits where somebody stays at all.
  BlockShelf& enter() noexcept {
    BlockShelf& mine = shelves_[ThreadSlot::get()];
    return try_enter(mine) ? mine : enter_another();
  }
  static bool try_enter(BlockShelf& shelf) noexcept { return !shelf.busy.test_and_set(std::memory_order_acquire); }
  static void leave(BlockShelf& shelf) noexcept { shelf.busy.clear(std::memory_order_release); }
  /// As try_enter, with patience. False: somebody stayed in a forked parent, or was interrupted for long.
  static bool wait_and_enter(BlockShelf& shelf) noexcept;

  BlockShelf* begin() { return shelves_; }
  BlockShelf* end() { return shelves_ + kThreadSlots; }
  const BlockShelf* begin() const { return shelves_; }
  const BlockShelf* end() const { return shelves_ + kThreadSlots; }

 private:
  BlockShelf& enter_another() noexcept;

  BlockShelf shelves_[kThreadSlots];
};

}  // namespace tinytf
