// Idle blocks: eviction, trimming and decay.

#include <pthread.h>

#include <algorithm>
#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "base/atomic_max.h"
#include "base/mapped_memory.h"
#include "tensor/allocator.h"
#include "tensor/block_access.h"

namespace tinytf {

namespace {

/// The list of all live allocators.
struct Allocators {
  std::mutex mutex;
  Allocator* first = nullptr;
};

Allocators& allocators() {
  static Allocators* const all = [] {
    // A forked child gets a consistent and unlocked list.
    pthread_atfork([] { allocators().mutex.lock(); }, [] { allocators().mutex.unlock(); },
                   [] { allocators().mutex.unlock(); });
    return new Allocators;  // leaked like Allocator::process()
  }();
  return *all;
}

}  // namespace

Allocator::Allocator() {
  Allocators& all = allocators();
  std::lock_guard lock(all.mutex);
  next_ = all.first;
  if (next_ != nullptr) next_->previous_ = this;
  all.first = this;
}

Allocator::~Allocator() {
  {
    Allocators& all = allocators();
    std::lock_guard lock(all.mutex);
    (previous_ == nullptr ? all.first : previous_->next_) = next_;
    if (next_ != nullptr) next_->previous_ = previous_;
  }
  trim();
}

int64_t Allocator::live_buffers() {
  Allocators& all = allocators();
  std::lock_guard lock(all.mutex);
  int64_t buffers = 0;
  for (const Allocator* each = all.first; each != nullptr; each = each->next_) buffers += each->buffers();
  return buffers;
}

void Allocator::set_disposer(BlockDisposer* disposer) {
  std::lock_guard lock(disposing_);
  disposer_.store(disposer, kRelaxed);
}

void Allocator::free_block(Block* block, bool by_disposer) noexcept {
  const int cls = block->size_class;
  const size_t bytes = class_bytes(cls);
  void* const data = block->data;
  held_bytes_.fetch_sub(block_bytes(cls), kRelaxed);
  const bool large = is_large(cls);
  allow_access(data, bytes);  // the addresses may be reused elsewhere
  if (!large) loose_bytes_.fetch_add(block_bytes(cls), kRelaxed);
  std::free(block);
  if (!large) return;
  if (by_disposer && disposer_.load(kRelaxed) != nullptr) {
    std::lock_guard lock(disposing_);
    BlockDisposer* disposer = disposer_.load(kRelaxed);
    if (disposer != nullptr && disposer->dispose(data, bytes)) return;
  }
  unmap_memory(data, bytes);
}

Allocator::Block* Allocator::detach(int cls, int32_t most, int32_t* count) noexcept {
  FreeList& list = lists_[cls];
  *count = 0;
  if (most <= 0 || !enter(list, cls)) return nullptr;
  Block* const chain = list.head;
  Block* last = nullptr;
  for (Block* block = chain; block != nullptr && *count < most; block = block->next, ++*count) last = block;
  if (last != nullptr) {
    list.head = last->next;
    last->next = nullptr;
    const int32_t left = list.count.load(kRelaxed) - *count;
    list.count.store(left, kRelaxed);
    list.least.store(std::min(left, list.least.load(kRelaxed)), kRelaxed);
  }
  leave(list);
  return last == nullptr ? nullptr : chain;
}

int64_t Allocator::free_chain(Block* block, int cls, bool by_disposer) noexcept {
  int64_t freed = 0;
  for (; block != nullptr; freed += block_bytes(cls)) {
    Block* const next = block->next;
    free_block(block, by_disposer);
    block = next;
  }
  return freed;
}

int Allocator::oldest(bool large, int but) const noexcept {
  const uint32_t now = epoch_.load(kRelaxed);
  int found = -1;
  uint32_t most = 0;
  for (int cls = 0; cls < kClasses; ++cls) {
    if (cls == but || is_large(cls) != large || lists_[cls].count.load(kRelaxed) == 0) continue;
    const uint32_t age = now - lists_[cls].used.load(kRelaxed);
    if (found >= 0 && age < most) continue;
    found = cls;
    most = age;
  }
  return found;
}

int64_t Allocator::evict_from_lists(int64_t bytes, int but) noexcept {
  const bool large_first = but >= 0 && is_large(but);
  for (const bool large : {large_first, !large_first}) {
    while (bytes > 0) {
      const int cls = oldest(large, but);
      if (cls < 0) break;
      const int64_t wanted = (bytes + block_bytes(cls) - 1) / block_bytes(cls);
      int32_t count = 0;
      Block* const chain = detach(cls, static_cast<int32_t>(std::min<int64_t>(wanted, INT32_MAX)), &count);
      if (count == 0) break;  // other threads use the list, and trying again might not end
      lists_[cls].evicted.fetch_add(count, kRelaxed);
      evicted_.fetch_add(count, kRelaxed);
      bytes -= free_chain(chain, cls, /*by_disposer=*/true);
    }
  }
  return bytes;
}

void Allocator::evict(int64_t bytes, int but) noexcept {
  bytes = evict_from_lists(bytes, but);
  if (bytes <= 0) return;
  for (BlockShelf& shelf : shelves_) clear_shelf(shelf);
  evict_from_lists(bytes, but);
}

void Allocator::clear_shelf(BlockShelf& shelf) noexcept {
  for (int cls = 0; cls < BlockShelf::kClasses; ++cls) {
    if (!BlockShelves::wait_and_enter(shelf)) return;
    Block* const first = shelf.heads[cls];
    const int32_t count = shelf.counts[cls];
    shelf.heads[cls] = nullptr;
    shelf.counts[cls] = 0;
    BlockShelves::leave(shelf);
    if (first == nullptr) continue;
    Block* last = first;
    while (last->next != nullptr) last = last->next;
    if (!put(first, last, count)) free_chain(first, cls, /*by_disposer=*/false);
  }
}

int64_t Allocator::trim() {
  int64_t freed = 0;
  for (BlockShelf& shelf : shelves_) clear_shelf(shelf);
  for (int cls = 0; cls < kClasses; ++cls) {
    int32_t count = 0;
    freed += free_chain(detach(cls, INT32_MAX, &count), cls, /*by_disposer=*/false);
    lists_[cls].evicted.store(0, kRelaxed);
  }
  regretted_bytes_.store(0, kRelaxed);
  return freed;
}

void Allocator::trim_others() noexcept {
  Allocators& all = allocators();
  std::lock_guard lock(all.mutex);  // allocators are not destroyed while it is held
  for (Allocator* other = all.first; other != nullptr; other = other->next_) {
    if (other != this) other->trim();
  }
}

int64_t Allocator::decay() {
  int64_t freed = 0;
  for (BlockShelf& shelf : shelves_) {
    const int64_t hits = shelf.hits.load(kRelaxed);
    if (shelf.hits_at_decay.exchange(hits, kRelaxed) == hits) clear_shelf(shelf);
  }
  for (int cls = kClasses - 1; cls >= 0; --cls) {
    FreeList& list = lists_[cls];
    const int64_t more = held_bytes_.load(kRelaxed) - live() - kMuchMemory;
    const int64_t wanted = (more + block_bytes(cls) - 1) / block_bytes(cls);
    int32_t count = 0;
    const auto most = static_cast<int32_t>(std::min<int64_t>(wanted, list.least.load(kRelaxed)));
    freed += free_chain(detach(cls, most, &count), cls, /*by_disposer=*/false);
    if (!enter(list, cls)) continue;
    list.least.store(list.count.load(kRelaxed), kRelaxed);
    leave(list);
  }
  if (freed > 0) regretted_bytes_.store(regretted_bytes_.load(kRelaxed) / 2, kRelaxed);
  if (loose_bytes_.load(kRelaxed) >= kMuchMemory) {
    loose_bytes_.store(0, kRelaxed);
    trim_c_library();
  }
  return freed;
}

int64_t Allocator::decay_if_due(int64_t now_ns) {
  int64_t due = next_decay_ns_.load(kRelaxed);
  if (now_ns < due || !next_decay_ns_.compare_exchange_strong(due, now_ns + kDecayPeriodNs, kRelaxed)) return 0;
  return decay();
}

void Allocator::retire() {
  retired_.store(true, kRelaxed);
  trim();
  if (loose_bytes_.exchange(0, kRelaxed) < kMuchMemory) return;
  process().trim();  // the process allocator's blocks lie between them
  trim_c_library();
}

void Allocator::trim_c_library() noexcept {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace tinytf
