// Allocation and deallocation of buffers. Idle blocks are dealt with in allocator_idle.cc.

#include "tensor/allocator.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "base/aligned_memory.h"
#include "base/atomic_max.h"
#include "base/mapped_memory.h"
#include "base/spin_pause.h"
#include "tensor/block_access.h"
#include "tensor/buffer.h"

namespace tinytf {

namespace {

constexpr size_t kHeader = 64;
constexpr size_t kLargeBlock = 1 << 20;     // mapped separately, with the header apart
constexpr size_t kCountedHeader = 4 << 10;  // headers count for data smaller than this
constexpr int64_t kUntold = 64 << 10;       // bytes by which a shelf may have reported too many

}  // namespace

/// Lies in the header of its block.
class PoolBuffer final : public Buffer {
 public:
  PoolBuffer(Allocator& owner, void* data, size_t bytes, int size_class, int64_t charged)
      : Buffer(data, bytes, true), owner_(owner), charged_(charged), size_class_(size_class) {}
  bool is_charged_to(const Allocator& allocator) const override { return &owner_ == &allocator; }

 protected:
  void destroy() noexcept override {
    Allocator& owner = owner_;
    void* const memory = data();
    const int64_t charged = charged_;
    const int size_class = size_class_;
    this->~PoolBuffer();
    owner.give_back(new (this) MemoryBlock{nullptr, memory, size_class}, charged);
  }

 private:
  ~PoolBuffer() override = default;
  Allocator& owner_;
  const int64_t charged_;
  const int size_class_;  // of the block, which may be larger than the charged size
};
static_assert(sizeof(PoolBuffer) <= kHeader);

Allocator& Allocator::process() {
  static Allocator* allocator = new Allocator;  // leaked: tensors may outlive every static object
  return *allocator;
}

// Class c holds blocks with (4 + c % 4) * 2^(4 + c / 4) bytes of data: 64, 80, 96, 112, 128, 160, …
int Allocator::size_class(size_t data_bytes) {
  if (data_bytes <= 64) return 0;
  const int exponent = 63 - __builtin_clzll(data_bytes - 1);  // 2^exponent < bytes <= 2^(exponent+1)
  const size_t quarter = size_t{1} << (exponent - 2);
  const int steps = static_cast<int>((data_bytes - (size_t{1} << exponent) + quarter - 1) / quarter);  // 1..4
  return (exponent - 6) * 4 + steps;
}

size_t Allocator::class_bytes(int size_class) {
  return static_cast<size_t>(4 + size_class % 4) << (4 + size_class / 4);
}

bool Allocator::is_large(int size_class) { return class_bytes(size_class) >= kLargeBlock; }

int64_t Allocator::block_bytes(int size_class) {
  const size_t data = class_bytes(size_class);
  return static_cast<int64_t>(data < kCountedHeader ? data + kHeader : data);
}

// -- Free lists.

bool Allocator::enter(FreeList& list, int size_class) noexcept {
  if (!list.busy.test_and_set(std::memory_order_acquire)) return true;
  // The holder of the list executes only a few instructions, unless it was interrupted or is a thread of the forked
  // parent. Waiting for it is cheaper than the page faults of new memory from the system, but not than the C library's
  // malloc.
  const int patience = is_large(size_class) ? 1000 : 16;
  for (int turn = 0; turn < patience; ++turn) {
    if (turn < 200) {
      spin_pause();
    } else {
      sched_yield();
    }
    if (!list.busy.test_and_set(std::memory_order_acquire)) return true;
  }
  return false;
}

inline Allocator::Block* Allocator::pop(FreeList& list) noexcept {
  Block* const block = list.head;
  if (block == nullptr) return nullptr;
  list.head = block->next;
  const int32_t count = list.count.load(kRelaxed) - 1;
  list.count.store(count, kRelaxed);
  if (count < list.least.load(kRelaxed)) list.least.store(count, kRelaxed);
  return block;
}

bool Allocator::put(Block* first, Block* last, int32_t count) noexcept {
  const int cls = first->size_class;
  FreeList& list = lists_[cls];
  if (!enter(list, cls)) return false;
  last->next = list.head;
  list.head = first;
  list.count.store(list.count.load(kRelaxed) + count, kRelaxed);
  leave(list);
  return true;
}

inline Allocator::Block* Allocator::pooled_block_alone(int cls) noexcept {
  FreeList& list = lists_[cls];
  if (!enter(list, cls)) {
    bypassed_.fetch_add(1, kRelaxed);
    return nullptr;
  }
  list.takes.store(list.takes.load(kRelaxed) + 1, kRelaxed);
  list.used.store(epoch_.load(kRelaxed), kRelaxed);
  Block* const block = pop(list);
  if (block != nullptr) list.hits.store(list.hits.load(kRelaxed) + 1, std::memory_order_release);
  leave(list);
  return block;
}

Allocator::Block* Allocator::pooled_block(int cls) noexcept {
  Block* const block = pooled_block_alone(cls);
  if (block == nullptr || cls >= BlockShelf::kClasses) return block;
  int32_t more = 0;
  Block* next = detach(cls, shelf_room(cls) / 2, &more);
  if (more == 0) return block;
  BlockShelf& shelf = shelves_.enter();
  while (next != nullptr) shelf.push(std::exchange(next, next->next));
  BlockShelves::leave(shelf);
  return block;
}

Allocator::Block* Allocator::larger_block(int cls) noexcept {
  if (!is_large(cls)) return nullptr;
  for (int larger = cls + 1; larger <= std::min(cls + 4, kClasses - 1); ++larger) {
    FreeList& list = lists_[larger];
    if (list.count.load(kRelaxed) == 0 || !enter(list, larger)) continue;
    list.used.store(epoch_.load(kRelaxed), kRelaxed);
    Block* const block = pop(list);
    leave(list);
    if (block == nullptr) continue;
    borrowed_.fetch_add(1, kRelaxed);
    return block;
  }
  return nullptr;
}

// -- Blocks from the system.

int64_t Allocator::bound(int64_t live) const noexcept {
  const int64_t most = std::max({peak_bytes_.load(kRelaxed), live, kMuchMemory});
  return most + std::min(most, regretted_bytes_.load(kRelaxed));
}

Allocator::Block* Allocator::new_block(int cls) noexcept {
  const int64_t size = block_bytes(cls);
  const int64_t limit = limit_.load(kRelaxed);
  if (limit != INT64_MAX && size > limit - live()) return nullptr;
  const int64_t live = live_bytes_.load(kRelaxed);
  epoch_.fetch_add(1, kRelaxed);
  const auto excess = [&] { return held_bytes_.load(kRelaxed) + size - std::min(limit, bound(live + size)); };
  if (excess() > 0) {
    if (Block* larger = limit == INT64_MAX ? larger_block(cls) : nullptr) return larger;
    std::atomic<int32_t>& evicted = lists_[cls].evicted;
    if (evicted.load(kRelaxed) > 0) {
      evicted.fetch_sub(1, kRelaxed);
      regretted_bytes_.fetch_add(size, kRelaxed);
    }
    evict(excess(), cls);
  }
  return block_of_system(cls);
}

Allocator::Block* Allocator::block_of_system(int cls) noexcept {
  const int64_t size = block_bytes(cls);
  const int64_t before = held_bytes_.fetch_add(size, kRelaxed);
  void* header = nullptr;
  void* data = nullptr;
  if (before + size <= limit_.load(kRelaxed)) {
    const size_t bytes = class_bytes(cls);
    if (is_large(cls)) {
      header = std::malloc(kHeader);
      data = header == nullptr ? nullptr : map_memory(bytes);
      if (data == nullptr) std::free(header);
    } else {
      header = allocate_aligned(kHeader + bytes);
      data = header == nullptr ? nullptr : static_cast<char*>(header) + kHeader;
    }
  }
  if (data == nullptr) {
    held_bytes_.fetch_sub(size, kRelaxed);
    return nullptr;
  }
  if (before <= kMuchMemory && before + size > kMuchMemory && disposer_.load(kRelaxed) != nullptr) {
    std::lock_guard lock(disposing_);
    if (BlockDisposer* disposer = disposer_.load(kRelaxed)) disposer->grown();
  }
  return new (header) Block{nullptr, data, cls};
}

Allocator::Block* Allocator::block_after_relief(int cls) {
  trim();
  if (Block* block = new_block(cls)) return block;
  const int64_t size = block_bytes(cls);
  if (relief_ && relief_(size)) {
    for (BlockShelf& shelf : shelves_) clear_shelf(shelf);  // any thread's shelf may have the freed blocks
    if (Block* block = pooled_block(cls)) return block;
    trim();  // the freed blocks are in lists of other classes
    if (Block* block = new_block(cls)) return block;
  }
  if (size > limit_.load(kRelaxed) - live()) return nullptr;
  trim_others();
  return new_block(cls);
}

// -- Buffers.

void Allocator::note_live(int64_t more) noexcept {
  raise_to(peak_bytes_, live_bytes_.fetch_add(more, kRelaxed) + more);
}

// The bytes that a shelf has reported are never less than it counts, so an increase beyond them is reported at once:
// with one thread the peak is exact, and steps in a steady state report nothing.
inline void Allocator::count(BlockShelf& shelf, int64_t buffers, int64_t bytes) noexcept {
  BlockShelf::add(shelf.buffers, buffers);
  const int64_t now = shelf.bytes.load(kRelaxed) + bytes;
  shelf.bytes.store(now, kRelaxed);
  const int64_t untold = now - shelf.told.load(kRelaxed);
  if (untold > 0) {
    shelf.told.store(now, kRelaxed);
    note_live(untold);
  } else if (untold < -kUntold) {
    shelf.told.store(now + kUntold / 2, kRelaxed);
    live_bytes_.fetch_add(untold + kUntold / 2, kRelaxed);
  }
}

RefPtr<Buffer> Allocator::allocate(size_t bytes) {
  if (bytes > (size_t{1} << 46)) return nullptr;
  const int cls = size_class(bytes);
  const int64_t charged = block_bytes(cls);
  BlockShelf* shelf = &shelves_.enter();
  Block* block = cls < BlockShelf::kClasses ? shelf->pop(cls) : nullptr;
  if (block != nullptr) {
    BlockShelf::add(shelf->hits, 1);
  } else {
    BlockShelves::leave(*shelf);
    block = pooled_block(cls);
    if (block == nullptr) block = new_block(cls);
    if (block == nullptr) block = block_after_relief(cls);
    if (block == nullptr) return nullptr;
    shelf = &shelves_.enter();
  }
  count(*shelf, 1, charged);
  BlockShelves::leave(*shelf);
  void* const data = block->data;
  const int block_class = block->size_class;
  allow_access(block, kHeader);
  allow_access(data, bytes);
  forbid_access(static_cast<char*>(data) + bytes, class_bytes(block_class) - bytes);
  return RefPtr<Buffer>::adopt(new (block) PoolBuffer(*this, data, bytes, block_class, charged));
}

/// Called if the shelf has no room for the block, which goes to the list or to the system together with half of the
/// shelf's blocks of its class. Leaves the shelf.
void Allocator::give_to_list(BlockShelf& shelf, Block* block) noexcept {
  const int cls = block->size_class;
  const bool keeps = !retired_.load(kRelaxed) && !shelf.orphaned;
  int32_t count = 1;
  Block* last = block;
  block->next = nullptr;
  if (cls < BlockShelf::kClasses && keeps) {
    for (; count <= shelf_room(cls) / 2; ++count) {
      last->next = shelf.pop(cls);
      last = last->next;
    }
    last->next = nullptr;  // the remaining blocks stay on the shelf
  }
  BlockShelves::leave(shelf);
  if (!keeps || !put(block, last, count)) free_chain(block, cls, /*by_disposer=*/true);
}

// The allocator stays alive until the buffer is no longer counted.
void Allocator::give_back(Block* block, int64_t charged) noexcept {
  const int cls = block->size_class;
  forbid_access(block + 1, kHeader - sizeof(Block));
  forbid_access(block->data, class_bytes(cls));
  BlockShelf* shelf = &shelves_.enter();
  if (cls < BlockShelf::kClasses && shelf->counts[cls] < shelf_room(cls) && !shelf->orphaned &&
      !retired_.load(kRelaxed)) {
    shelf->push(block);
  } else {
    give_to_list(*shelf, block);
    shelf = &shelves_.enter();
  }
  count(*shelf, -1, -charged);
  const bool orphaned = shelf->orphaned;
  BlockShelves::leave(*shelf);
  if (orphaned && orphans_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

void Allocator::destroy() noexcept {
  constexpr int64_t kMany = int64_t{1} << 62;  // while buffers are being counted
  constexpr int kPatience = 100;               // attempts: longer than a thread stays interrupted
  orphans_.store(kMany, kRelaxed);
  int64_t alive = 0;
  for (BlockShelf& shelf : shelves_) {
    bool entered = false;
    for (int i = 0; i < kPatience && !entered; ++i) entered = BlockShelves::wait_and_enter(shelf);
    // The holder is most likely a thread of the forked parent. If it is not, it is about to write here, so the
    // allocator is leaked.
    if (!entered) return;
    alive += shelf.buffers.load(kRelaxed);
    shelf.orphaned = true;
    BlockShelves::leave(shelf);
  }
  if (orphans_.fetch_sub(kMany - alive, std::memory_order_acq_rel) == kMany - alive) delete this;
}

ScratchSource::Loan Allocator::lend(size_t bytes) noexcept {
  RefPtr<Buffer> buffer = allocate(bytes);
  if (!buffer) return {};
  void* const memory = buffer->data();
  return {memory, buffer.release()};
}

void Allocator::take_back(const Loan& loan) noexcept { static_cast<Buffer*>(loan.owner)->unref(); }

// -- Memory allocated elsewhere.

bool Allocator::make_room(int64_t more) {
  const auto excess = [&] { return held_bytes_.load(kRelaxed) + more - limit_.load(kRelaxed); };
  if (excess() <= 0) return true;
  evict(excess(), -1);
  if (excess() <= 0) return true;
  if (!relief_ || !relief_(more)) return false;
  evict(excess(), -1);
  return excess() <= 0;
}

bool Allocator::charge_taken(int64_t bytes) {
  held_bytes_.fetch_add(bytes, kRelaxed);
  note_live(bytes);
  return make_room(0);
}

void Allocator::discharge(int64_t bytes) noexcept {
  live_bytes_.fetch_sub(bytes, kRelaxed);
  held_bytes_.fetch_sub(bytes, kRelaxed);
}

// -- Statistics.

int64_t Allocator::live() const noexcept {
  int64_t bytes = live_bytes_.load(kRelaxed);
  for (const BlockShelf& shelf : shelves_) bytes -= shelf.told.load(kRelaxed) - shelf.bytes.load(kRelaxed);
  return bytes;
}

Allocator::Stats Allocator::stats() const {
  Stats stats;
  stats.live_bytes = live();
  stats.peak_bytes = peak_bytes_.load(kRelaxed);
  stats.pooled_bytes = std::max<int64_t>(0, held_bytes_.load(kRelaxed) - stats.live_bytes);
  stats.pool_hits = borrowed_.load(kRelaxed);
  stats.allocations = bypassed_.load(kRelaxed);
  stats.evicted_blocks = evicted_.load(kRelaxed);
  for (const FreeList& list : lists_) {
    stats.pool_hits += list.hits.load(std::memory_order_acquire);  // read first, so that hits never exceed allocations
    stats.allocations += list.takes.load(kRelaxed);
  }
  for (const BlockShelf& shelf : shelves_) {
    const int64_t hits = shelf.hits.load(kRelaxed);
    stats.pool_hits += hits;
    stats.allocations += hits;
  }
  return stats;
}

int64_t Allocator::buffers() const noexcept {
  int64_t buffers = 0;
  for (const BlockShelf& shelf : shelves_) buffers += shelf.buffers.load(kRelaxed);
  return buffers;
}

}  // namespace tinytf
