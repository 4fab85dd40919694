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

/// Returns large blocks to the system on a thread of its own, because unmapping may take milliseconds, and has idle
/// memory trimmed over time. Called on any thread, with a mutex of the allocator held.
class BlockDisposer {
 public:
  /// Takes ownership of a block of `bytes` bytes, which has to be freed with unmap_memory. If it returns false, the
  /// caller keeps the block and frees it.
  virtual bool dispose(void* block, size_t bytes) noexcept = 0;
  /// The allocator holds more than kMuchMemory: from now on `decay` should be called periodically while `holds_much()`.
  virtual void grown() noexcept = 0;

 protected:
  ~BlockDisposer() = default;
};

/// The memory of one session, or of the process: 64-byte-aligned blocks in size classes with a free list each, so that
/// a steady loop of steps never calls malloc. A freed block always goes to its free list. Idle blocks are evicted only
/// when no list has a fitting block: if the bytes held in buffers and lists would exceed the peak of the bytes in
/// buffers alone, the least recently used lists return memory to the system. Evicted bytes that are requested again
/// raise this bound, up to twice the peak, so that steps with alternating sizes reach a steady state as well.
/// Thread-safe. Each thread has a shelf of small blocks in front of the lists, where its allocations are counted too,
/// so that threads that allocate and free small buffers do not contend. If two threads meet at one list, the second
/// waits briefly. The allocator outlives its buffers; blocks in its lists are freed with it.
class Allocator final : public RefCounted, public ScratchSource {
 public:
  struct Stats {
    int64_t live_bytes = 0;      ///< bytes in buffers, and charged ones
    int64_t peak_bytes = 0;      ///< maximum of live_bytes; up to 64 KiB too high per additional thread
    int64_t pooled_bytes = 0;    ///< held in free lists, beyond live_bytes
    int64_t allocations = 0;     ///< blocks handed out so far
    int64_t pool_hits = 0;       ///< allocations served by free lists; the system served the others
    int64_t evicted_blocks = 0;  ///< blocks freed from lists to bound the memory held
  };
  /// Amount that is held without trimming: `decay` leaves this much, and the bound on held memory is never lower.
  static constexpr int64_t kMuchMemory = int64_t{16} << 20;

  Allocator();
  /// The allocator of tensors outside any session. Never destroyed.
  static Allocator& process();

  /// Returns a buffer of at least `bytes` bytes with undefined contents. Returns null if memory is exhausted although
  /// all idle memory was freed: free lists, buffers that the callback of `set_relief` frees, and free lists of other
  /// allocators.
  RefPtr<Buffer> allocate(size_t bytes);

  /// Accounts for memory that was allocated elsewhere for buffers of this allocator (contents of strings). Returns
  /// false if that exceeds the limit; the memory is counted in either case.
  bool charge_taken(int64_t bytes);
  void discharge(int64_t bytes) noexcept;

  // Working memory of kernels, taken from buffers. The loan is null if memory is exhausted.
  Loan lend(size_t bytes) noexcept override;
  void take_back(const Loan& loan) noexcept override;

  /// Maximum number of bytes that buffers and free lists together take from the system; 0 means no limit.
  void set_limit(int64_t bytes) { limit_.store(bytes > 0 ? bytes : INT64_MAX, std::memory_order_relaxed); }
  bool is_limited() const { return limit_.load(std::memory_order_relaxed) != INT64_MAX; }
  /// Sets a callback that frees buffers when memory is exhausted or at its limit. It gets the number of missing bytes
  /// and returns whether another attempt is worthwhile. Set and reset it only while no thread allocates.
  void set_relief(std::function<bool(int64_t)> relief) { relief_ = std::move(relief); }

  /// Sets the receiver of blocks of 1 MiB and more that the free lists do not keep; null: they are unmapped in place.
  /// The previous disposer is not called any more when this returns.
  void set_disposer(BlockDisposer* disposer);

  /// Frees the blocks in the free lists and returns their number of bytes.
  int64_t trim();
  /// Frees blocks that were idle in the free lists since the last call, as long as the lists hold more than
  /// kMuchMemory. Returns the number of bytes freed.
  int64_t decay();
  /// Calls `decay` if its last call through here was at least kDecayPeriodNs ago by the caller's clock.
  int64_t decay_if_due(int64_t now_ns);
  static constexpr int64_t kDecayPeriodNs = 5'000'000'000;
  bool holds_much() const { return held_bytes_.load(std::memory_order_relaxed) > kMuchMemory; }
  /// Frees all idle blocks like `trim` and keeps none from now on, because few buffers will be requested. If many small
  /// blocks were freed, the C library is told to return their memory, too.
  void retire();
  /// Makes the C library return its unused memory, also between blocks in use. Slow: it scans the whole heap.
  static void trim_c_library() noexcept;
  Stats stats() const;

  /// Number of live buffers of all allocators in this process.
  static int64_t live_buffers();

 private:
  friend class PoolBuffer;
  ~Allocator() override;
  /// No buffer will be requested any more: the allocator is deleted with its last live buffer.
  void destroy() noexcept override;
  int64_t buffers() const noexcept;

  using Block = MemoryBlock;
  /// Written by the thread that holds `busy`, read by any thread.
  struct alignas(64) FreeList {
    std::atomic_flag busy = ATOMIC_FLAG_INIT;
    std::atomic<uint32_t> used{0};  // value of epoch_ at the last request
    Block* head = nullptr;
    std::atomic<int64_t> hits{0};
    std::atomic<int64_t> takes{0};
    std::atomic<int32_t> count{0};
    std::atomic<int32_t> least{0};    // minimum of `count` since the last decay
    std::atomic<int32_t> evicted{0};  // blocks evicted and not yet requested again
  };
  // Four size classes per power of two, from 64 bytes of data to 2^46.
  static constexpr int kClasses = 161;
  static int size_class(size_t data_bytes);
  static size_t class_bytes(int size_class);
  static bool is_large(int size_class);
  /// The size at which a block is accounted for: its data, plus its header unless that is negligible.
  static int64_t block_bytes(int size_class);

  void give_back(Block* block, int64_t charged) noexcept;
  void give_to_list(BlockShelf& shelf, Block* block) noexcept;
  static bool enter(FreeList& list, int size_class) noexcept;
  static void leave(FreeList& list) noexcept { list.busy.clear(std::memory_order_release); }
  static Block* pop(FreeList& list) noexcept;
  /// Takes a block from a free list; null if the list is empty or another thread occupies it. Refills the thread's
  /// shelf.
  Block* pooled_block(int size_class) noexcept;
  Block* pooled_block_alone(int size_class) noexcept;
  static int shelf_room(int size_class) { return BlockShelf::most(class_bytes(size_class)); }
  /// Puts a chain of blocks of one class into their list. Returns false if another thread occupies the list.
  bool put(Block* first, Block* last, int32_t count) noexcept;
  /// Moves the blocks of a shelf into the lists; if a list is occupied, its blocks are freed.
  void clear_shelf(BlockShelf& shelf) noexcept;
  /// Changes the shelf's counts by that many buffers and bytes. The caller has entered the shelf.
  void count(BlockShelf& shelf, int64_t buffers, int64_t bytes) noexcept;
  /// Gets a block when the list of its class is empty. If too much memory is held, it takes a larger idle block (only
  /// without a limit, because the surplus would count toward it) or evicts idle blocks first. Then it asks the system,
  /// within the limit.
  Block* new_block(int size_class) noexcept;
  Block* larger_block(int size_class) noexcept;
  Block* block_of_system(int size_class) noexcept;
  /// Called after `new_block` failed: frees memory by all means and tries again.
  Block* block_after_relief(int size_class);
  /// Maximum number of bytes that may be held while `live` bytes are in use.
  int64_t bound(int64_t live) const noexcept;
  /// Frees at least `bytes` bytes, or all idle blocks, least recently used lists first; never blocks of class `but`.
  /// Starts with large blocks if `but` is large, else with small ones. -1 as `but` excepts nothing.
  void evict(int64_t bytes, int but) noexcept;
  /// As `evict`, without the shelves. Returns the number of bytes that are still missing.
  int64_t evict_from_lists(int64_t bytes, int but) noexcept;
  /// The least recently used list that is not empty, among large or small classes; -1 if there is none.
  int oldest(bool large, int but) const noexcept;
  void note_live(int64_t more) noexcept;
  /// Exact number of bytes in buffers, plus charged ones; live_bytes_ is slightly higher.
  int64_t live() const noexcept;
  /// Frees idle memory if `more` bytes would exceed the limit, and returns whether they fit then.
  bool make_room(int64_t more);

  /// Detaches up to `most` blocks from a list and sets *count to their number; null if none were detached.
  Block* detach(int size_class, int32_t most, int32_t* count) noexcept;
  /// Frees a chain of blocks of one class and returns their number of bytes.
  int64_t free_chain(Block* chain, int size_class, bool by_disposer) noexcept;
  void free_block(Block* block, bool by_disposer) noexcept;
  void trim_others() noexcept;

  BlockShelves shelves_;
  FreeList lists_[kClasses];
  alignas(64) std::atomic<int64_t> live_bytes_{0};  // reported by the shelves, plus charged bytes
  std::atomic<int64_t> peak_bytes_{0};
  alignas(64) std::atomic<int64_t> held_bytes_{0};  // taken from the system: buffers and lists
  std::atomic<int64_t> regretted_bytes_{0};         // evicted and requested again
  std::atomic<int64_t> bypassed_{0}, borrowed_{0}, evicted_{0};
  std::atomic<int64_t> loose_bytes_{0};  // of small blocks freed to the C library, which may keep them
  std::atomic<int64_t> next_decay_ns_{INT64_MIN};
  std::atomic<uint32_t> epoch_{0};  // incremented when the lists cannot serve a request
  std::atomic<bool> retired_{false};
  std::atomic<int64_t> orphans_{0};  // live buffers after the last reference to this was dropped
  std::atomic<int64_t> limit_{INT64_MAX};
  std::function<bool(int64_t)> relief_;
  std::mutex disposing_;
  std::atomic<BlockDisposer*> disposer_{nullptr};  // called with `disposing_` held
  Allocator* previous_ = nullptr;                  // list of all allocators of the process, which has its own lock
  Allocator* next_ = nullptr;
};

}  // namespace tinytf
