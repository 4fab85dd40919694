#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

#include "base/ref_ptr.h"
#include "base/scratch_memory.h"
#include "tensor/block_shelf.h"

namespace tinytf {

class Buffer;

/// Who gives large blocks back to the system on a thread of its own, as that may take milliseconds, and sees to it that
/// idle ones are not kept for ever. Called on any thread, under a lock of the allocator's.
class BlockDisposer {
 public:
  /// Takes a block of so many bytes, which unmap_memory gives back. False if it does not: then the caller does.
  virtual bool dispose(void* block, size_t bytes) noexcept = 0;
  /// The allocator holds much: from now on `decay` should be called now and then, as long as `holds_much`.
  virtual void grown() noexcept = 0;

 protected:
  ~BlockDisposer() = default;
};

/// Memory of one session (or of the process): 64-byte-aligned blocks in size classes, each with a free list, so that a
/// steady loop of steps never calls malloc. Blocks that are freed always go to their list. Only when no list has a
/// block that fits, idle blocks may go: if what the allocator holds, buffers and lists together, would exceed the most
/// that buffers alone have taken so far, the lists that were used longest ago give theirs back. What is asked for again
/// after that raises this bound, up to twice as much, so that steps whose sizes take turns come to rest too.
/// Thread-safe. Each thread has a shelf of small blocks in front of the lists, and counts there, so that threads that
/// have and free small buffers meet nowhere; where two meet at one list, the second waits a little. The allocator
/// outlives its buffers; what its lists still hold is freed with it.
class Allocator final : public RefCounted, public ScratchSource {
 public:
  struct Stats {
    int64_t live_bytes = 0;      ///< in buffers now
    int64_t peak_bytes = 0;      ///< most that live_bytes has been; up to 64 KiB too much for each further thread
    int64_t pooled_bytes = 0;    ///< of the system's, beyond live_bytes: waiting in free lists
    int64_t allocations = 0;     ///< blocks handed out so far
    int64_t pool_hits = 0;       ///< … of which came from a free list; the rest came from the system
    int64_t evicted_blocks = 0;  ///< taken out of free lists to bound what is held
  };
  /// Held without a thought: what `decay` leaves, and the least that bounds what is held.
  static constexpr int64_t kMuchMemory = int64_t{16} << 20;

  Allocator();
  /// Where tensors outside any session live. Never destroyed.
  static Allocator& process();

  /// A buffer of at least `bytes` bytes, or null when memory is out, though everything idle was given back: what is in
  /// the free lists, what `set_relief` finds, what free lists of other allocators have. Contents are undefined.
  RefPtr<Buffer> allocate(size_t bytes);

  /// Counts memory that others have taken for buffers of this allocator (the texts of strings). False if that is beyond
  /// the limit; it is counted in either case.
  bool charge_taken(int64_t bytes);
  void discharge(int64_t bytes) noexcept;

  // Working memory of kernels, in buffers. Null when memory is out.
  Loan lend(size_t bytes) noexcept override;
  void take_back(const Loan& loan) noexcept override;

  /// Most that buffers and free lists together take from the system; 0: whatever there is.
  void set_limit(int64_t bytes) { limit_.store(bytes > 0 ? bytes : INT64_MAX, std::memory_order_relaxed); }
  bool is_limited() const { return limit_.load(std::memory_order_relaxed) != INT64_MAX; }
  /// Called when memory is out or at its limit, with the bytes that are missing, to free buffers; true if it was worth
  /// its while: then allocate tries once more. Set and reset while nobody allocates.
  void set_relief(std::function<bool(int64_t)> relief) { relief_ = std::move(relief); }

  /// Where blocks of a MiB and more go that the free lists do not keep; null: they are freed in place. What was set
  /// before is not called any more when this returns.
  void set_disposer(BlockDisposer* disposer);

  /// Gives the blocks in the free lists back to the system; how many bytes.
  int64_t trim();
  /// Gives back what lay idle in the free lists since the last call, as long as they have more than kMuchMemory; how
  /// many bytes.
  int64_t decay();
  /// `decay`, if the last one was kDecayPeriod ago, by the caller's clock.
  int64_t decay_if_due(int64_t now_ns);
  static constexpr int64_t kDecayPeriodNs = 5'000'000'000;
  bool holds_much() const { return held_bytes_.load(std::memory_order_relaxed) > kMuchMemory; }
  /// As trim, and from now on free lists keep nothing: few buffers will be asked for. Where much was kept, the C
  /// library is made to give it back too.
  void retire();
  /// Has the C library give back what it keeps between blocks in use. It looks through all it has.
  static void trim_c_library() noexcept;
  Stats stats() const;

  /// Buffers with memory of any allocator that are alive in this process.
  static int64_t live_buffers();

 private:
  friend class PoolBuffer;
  ~Allocator() override;
  /// Nobody will ask for a buffer any more: it goes with the last that is alive.
  void destroy() noexcept override;
  int64_t buffers() const noexcept;

  using Block = MemoryBlock;
  /// Changed by who is busy with the list, read by anybody.
  struct alignas(64) FreeList {
    std::atomic_flag busy = ATOMIC_FLAG_INIT;
    std::atomic<uint32_t> used{0};  // epoch_ when a block was last asked for
    Block* head = nullptr;
    std::atomic<int64_t> hits{0};
    std::atomic<int64_t> takes{0};
    std::atomic<int32_t> count{0};
    std::atomic<int32_t> least{0};    // that `count` has been since the last decay
    std::atomic<int32_t> evicted{0};  // and not asked for again
  };
  // Four classes per power of two from 64 bytes of data to 2^46.
  static constexpr int kClasses = 161;
  static int size_class(size_t data_bytes);
  static size_t class_bytes(int size_class);
  static bool is_large(int size_class);
  /// What a block is counted as: its data, and its header where that is more than a trifle.
  static int64_t block_bytes(int size_class);

  void give_back(Block* block, int64_t charged) noexcept;
  void give_to_list(BlockShelf& shelf, Block* block) noexcept;
  static bool enter(FreeList& list, int size_class) noexcept;
  static void leave(FreeList& list) noexcept { list.busy.clear(std::memory_order_release); }
  static Block* pop(FreeList& list) noexcept;
  /// A block of a free list; null if there is none, or another thread stays at the list. Fills the thread's shelf, too.
  Block* pooled_block(int size_class) noexcept;
  Block* pooled_block_alone(int size_class) noexcept;
  static int shelf_room(int size_class) { return BlockShelf::most(class_bytes(size_class)); }
  /// Puts a chain of blocks of one class into the list; false: another thread stays there.
  bool put(Block* first, Block* last, int32_t count) noexcept;
  /// Takes what lies at the shelf into the lists, where that is possible.
  void clear_shelf(BlockShelf& shelf) noexcept;
  /// For who is at the shelf: buffers and bytes more, or less, than there were.
  void count(BlockShelf& shelf, int64_t buffers, int64_t bytes) noexcept;
  /// Where no list of the class has one: a larger idle one rather than another if much is held and there is no limit,
  /// which would count what is too much of it; else the system's, within the limit.
  Block* new_block(int size_class) noexcept;
  Block* larger_block(int size_class) noexcept;
  Block* block_of_system(int size_class) noexcept;
  /// After `new_block` found none: a block, after all.
  Block* block_after_relief(int size_class);
  /// Most that may be held while `live` bytes are in use.
  int64_t bound(int64_t live) const noexcept;
  /// Gives back at least so many bytes of what was used longest ago, or all there is but blocks of class `but`; blocks
  /// like those first, large or small.
  void evict(int64_t bytes, int but) noexcept;
  /// How many bytes are still missing then.
  int64_t evict_from_lists(int64_t bytes, int but) noexcept;
  /// The list that was used longest ago and is not empty; -1: none.
  int oldest(bool large, int but) const noexcept;
  void note_live(int64_t more) noexcept;
  /// In buffers now, and what others took; live_bytes_ is a little more.
  int64_t live() const noexcept;
  /// Gives back what is idle, if so many bytes more are beyond the limit; whether they are within it then.
  bool make_room(int64_t more);

  /// Takes up to `most` blocks out of the list.
  Block* detach(int size_class, int32_t most, int32_t* count) noexcept;
  /// Gives blocks of one class to the system; their bytes.
  int64_t free_chain(Block* chain, int size_class, bool by_disposer) noexcept;
  void free_block(Block* block, bool by_disposer) noexcept;
  void trim_others() noexcept;

  BlockShelves shelves_;
  FreeList lists_[kClasses];
  alignas(64) std::atomic<int64_t> live_bytes_{0};  // what the shelves told, and what others took
  std::atomic<int64_t> peak_bytes_{0};
  alignas(64) std::atomic<int64_t> held_bytes_{0};  // of the system's: in buffers and in lists
  std::atomic<int64_t> regretted_bytes_{0};         // that were evicted and asked for again
  std::atomic<int64_t> bypassed_{0}, borrowed_{0}, evicted_{0};
  std::atomic<int64_t> loose_bytes_{0};  // of small blocks that went to the C library, which may keep them
  std::atomic<int64_t> next_decay_ns_{INT64_MIN};
  std::atomic<uint32_t> epoch_{0};  // changes when the lists had not what was asked for
  std::atomic<bool> retired_{false};
  std::atomic<int64_t> orphans_{0};  // buffers that are alive, when nobody asks for more
  std::atomic<int64_t> limit_{INT64_MAX};
  std::function<bool(int64_t)> relief_;
  std::mutex disposing_;
  std::atomic<BlockDisposer*> disposer_{nullptr};  // called with `disposing_` held
  Allocator* previous_ = nullptr;                  // all allocators of the process, under their own lock
  Allocator* next_ = nullptr;
};

}  // namespace tinytf
