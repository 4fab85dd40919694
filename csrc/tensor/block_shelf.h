#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/thread_slot.h"

namespace tinytf {

/// The memory of one buffer: a header of 64 bytes and the data. The header holds the Buffer object, or this struct
/// while the block is in a free list. A small block is one allocation; a large one has a separate header, so that data
/// of a power of two bytes takes no more than that.
struct MemoryBlock {
  MemoryBlock* next;
  void* data;
  int size_class;
};

/// One thread's part of an allocator: a few free blocks of each small size class and a share of the counts, so that
/// threads do not contend. Other threads come here to empty it, or if there are more threads than shelves, so every
/// access holds the spin lock `busy`; without contention that costs one atomic exchange. The counts are written by the
/// lock's holder and read by any thread.
struct alignas(64) BlockShelf {
  static constexpr int kClasses = 33;                       // up to 16 KiB of data
  static constexpr int64_t kMostBytes = int64_t{32} << 10;  // per class

  std::atomic_flag busy = ATOMIC_FLAG_INIT;
  bool orphaned = false;            // no buffer will be requested from the allocator any more
  std::atomic<int64_t> buffers{0};  // allocated here minus freed here
  std::atomic<int64_t> bytes{0};    // in these buffers
  std::atomic<int64_t> told{0};     // bytes reported to the allocator: `bytes` or slightly more
  std::atomic<int64_t> hits{0};     // blocks taken from here
  std::atomic<int64_t> hits_at_decay{0};
  MemoryBlock* heads[kClasses] = {};
  uint16_t counts[kClasses] = {};

  /// Maximum number of blocks of that size on a shelf. It is low, because a block on a shelf serves no other thread.
  static constexpr int most(size_t block_bytes) {
    const size_t fit = static_cast<size_t>(kMostBytes) / block_bytes;
    return static_cast<int>(fit < 32 ? fit : 32);
  }

  // These require that the caller holds `busy`.
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
  /// Locks and returns this thread's shelf, or another one if that stays locked, maybe by a thread of the forked
  /// parent. Waits if all are locked. The caller must call leave().
  BlockShelf& enter() noexcept {
    BlockShelf& mine = shelves_[ThreadSlot::get()];
    return try_enter(mine) ? mine : enter_another();
  }
  static bool try_enter(BlockShelf& shelf) noexcept { return !shelf.busy.test_and_set(std::memory_order_acquire); }
  static void leave(BlockShelf& shelf) noexcept { shelf.busy.clear(std::memory_order_release); }
  /// As try_enter, but waits a while. False if the holder is a thread of the forked parent or was interrupted for long.
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
