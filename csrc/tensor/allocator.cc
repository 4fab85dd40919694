#include "tensor/allocator.h"

#include <cstdlib>
#include <new>

#include "base/aligned_memory.h"
#include "base/atomic_max.h"
#include "base/mapped_memory.h"
#include "tensor/buffer.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace tinytf {

namespace {

constexpr size_t kSmallBlock = 64 << 10;
constexpr size_t kLargeBlock = 1 << 20;  // has pages of its own
constexpr int64_t kMuchMemory = int64_t{16} << 20;
std::atomic<int64_t> live_pool_buffers{0};

// AddressSanitizer knows malloc's blocks only: it is told which part of a block is a buffer, and that blocks in a free
// list are nobody's.
#if defined(__SANITIZE_ADDRESS__)
void forbid_access(void* begin, size_t bytes) { __asan_poison_memory_region(begin, bytes); }
void allow_access(void* begin, size_t bytes) { __asan_unpoison_memory_region(begin, bytes); }
#else
void forbid_access(void*, size_t) {}
void allow_access(void*, size_t) {}
#endif

void* block_of_system(size_t bytes) { return bytes >= kLargeBlock ? map_memory(bytes) : allocate_aligned(bytes); }

void give_to_system(void* block, size_t bytes) noexcept {
  if (bytes < kLargeBlock) return std::free(block);
  allow_access(block, bytes);  // others may get these addresses
  unmap_memory(block, bytes);
}

/// The C library keeps what lies between blocks that are in use. It looks through all it has.
void give_back_small_blocks() {
  Allocator::process().trim();  // what was made outside of sessions lies between what they had
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace

/// Header and data share one block: the header takes the first 64 bytes.
class PoolBuffer final : public Buffer {
 public:
  static constexpr size_t kHeader = 64;

  PoolBuffer(Allocator& owner, int size_class, size_t bytes)
      : Buffer(reinterpret_cast<char*>(this) + kHeader, bytes, true), owner_(owner), size_class_(size_class) {
    owner_.ref();
  }

 protected:
  void destroy() noexcept override {
    Allocator& owner = owner_;
    const int size_class = size_class_;
    this->~PoolBuffer();
    owner.give_back(this, size_class);
    owner.unref();
  }

 private:
  ~PoolBuffer() override = default;
  Allocator& owner_;
  int size_class_;
};
static_assert(sizeof(PoolBuffer) <= PoolBuffer::kHeader);

Allocator& Allocator::process() {
  static Allocator* allocator = new Allocator;  // leaked: tensors may outlive every static
  return *allocator;
}

Allocator::~Allocator() { trim(); }

// Class c holds blocks of (4 + c % 4) * 2^(5 + c / 4) bytes: 128, 160, 192, 224, 256, 320, …
int Allocator::size_class(size_t block_bytes) {
  if (block_bytes <= 128) return 0;
  const int exponent = 63 - __builtin_clzll(block_bytes - 1);  // 2^exponent < bytes <= 2^(exponent+1)
  const size_t quarter = size_t{1} << (exponent - 2);
  const int steps = static_cast<int>((block_bytes - (size_t{1} << exponent) + quarter - 1) / quarter);  // 1..4
  return (exponent - 7) * 4 + steps;
}

size_t Allocator::class_bytes(int size_class) {
  return static_cast<size_t>(4 + size_class % 4) << (5 + size_class / 4);
}

inline void* Allocator::pooled_block(int cls) {
  constexpr auto relaxed = std::memory_order_relaxed;
  FreeList& list = lists_[cls];
  if (list.busy.test_and_set(std::memory_order_acquire)) {
    bypassed_.fetch_add(1, relaxed);
    return nullptr;
  }
  list.takes.store(list.takes.load(relaxed) + 1, relaxed);
  Block* block = list.head;
  if (block != nullptr) {
    list.head = block->next;
    list.hits.store(list.hits.load(relaxed) + 1, std::memory_order_release);
  }
  list.busy.clear(std::memory_order_release);
  if (block != nullptr) pooled_bytes_.fetch_sub(static_cast<int64_t>(class_bytes(cls)), relaxed);
  return block;
}

void* Allocator::new_block(size_t block_bytes) {
  constexpr auto relaxed = std::memory_order_relaxed;
  const int64_t room = limit_.load(relaxed) - live_bytes_.load(relaxed);
  const int64_t wanted = static_cast<int64_t>(block_bytes);
  if (wanted > room) return nullptr;
  if (wanted > room - pooled_bytes_.load(relaxed)) trim();
  return block_of_system(block_bytes);
}

void* Allocator::block_after_relief(int cls) {
  const size_t block_bytes = class_bytes(cls);
  if (!relief_ || !relief_(static_cast<int64_t>(block_bytes))) return nullptr;
  if (void* block = pooled_block(cls)) return block;
  trim();  // what was freed is in lists of other sizes
  return new_block(block_bytes);
}

RefPtr<Buffer> Allocator::allocate(size_t bytes) {
  if (bytes > (size_t{1} << 46)) return nullptr;
  const int cls = size_class(bytes + PoolBuffer::kHeader);
  const size_t block_bytes = class_bytes(cls);
  void* block = pooled_block(cls);
  if (block == nullptr) block = new_block(block_bytes);
  if (block == nullptr) block = block_after_relief(cls);
  if (block == nullptr) return nullptr;
  const size_t used = PoolBuffer::kHeader + bytes;
  allow_access(block, used);
  forbid_access(static_cast<char*>(block) + used, block_bytes - used);
  const int64_t size = static_cast<int64_t>(block_bytes);
  const int64_t live = live_bytes_.fetch_add(size, std::memory_order_relaxed) + size;
  raise_to(peak_bytes_, live);
  live_pool_buffers.fetch_add(1, std::memory_order_relaxed);
  return RefPtr<Buffer>::adopt(new (block) PoolBuffer(*this, cls, bytes));
}

void Allocator::give_back(void* block, int cls) noexcept {
  const int64_t size = static_cast<int64_t>(class_bytes(cls));
  live_pool_buffers.fetch_sub(1, std::memory_order_relaxed);
  live_bytes_.fetch_sub(size, std::memory_order_relaxed);
  // The lists never hold more than the session has ever used at once; small blocks always stay.
  const int64_t pooled = pooled_bytes_.load(std::memory_order_relaxed);
  const bool keep =
      !retired_.load(std::memory_order_relaxed) &&
      (size <= static_cast<int64_t>(kSmallBlock) || pooled + size <= peak_bytes_.load(std::memory_order_relaxed));
  FreeList& list = lists_[cls];
  if (keep && !list.busy.test_and_set(std::memory_order_acquire)) {
    list.head = new (block) Block{list.head};
    forbid_access(list.head + 1, static_cast<size_t>(size) - sizeof(Block));
    list.busy.clear(std::memory_order_release);
    pooled_bytes_.fetch_add(size, std::memory_order_relaxed);
  } else {
    free_block(block, static_cast<size_t>(size));
  }
}

void Allocator::free_block(void* block, size_t bytes) noexcept {
  if (bytes >= kLargeBlock && disposer_.load(std::memory_order_relaxed) != nullptr) {
    std::lock_guard lock(disposing_);
    BlockDisposer* disposer = disposer_.load(std::memory_order_relaxed);
    if (disposer != nullptr) {
      allow_access(block, bytes);
      if (disposer->dispose(block, bytes)) return;
    }
  }
  give_to_system(block, bytes);
}

void Allocator::set_disposer(BlockDisposer* disposer) {
  std::lock_guard lock(disposing_);
  disposer_.store(disposer, std::memory_order_relaxed);
}

void Allocator::trim() {
  for (int cls = 0; cls < kClasses; ++cls) {
    FreeList& list = lists_[cls];
    while (list.busy.test_and_set(std::memory_order_acquire)) {
    }
    Block* block = list.head;
    list.head = nullptr;
    list.busy.clear(std::memory_order_release);
    while (block != nullptr) {
      Block* next = block->next;
      give_to_system(block, class_bytes(cls));
      pooled_bytes_.fetch_sub(static_cast<int64_t>(class_bytes(cls)), std::memory_order_relaxed);
      block = next;
    }
  }
}

void Allocator::retire() {
  retired_.store(true, std::memory_order_relaxed);
  int64_t small = pooled_bytes_.load(std::memory_order_relaxed);
  for (int cls = 0; cls < kClasses; ++cls) {
    if (class_bytes(cls) < kLargeBlock) continue;
    FreeList& list = lists_[cls];
    while (list.busy.test_and_set(std::memory_order_acquire)) {
    }
    for (const Block* block = list.head; block != nullptr; block = block->next) {
      small -= static_cast<int64_t>(class_bytes(cls));
    }
    list.busy.clear(std::memory_order_release);
  }
  trim();
  if (small >= kMuchMemory) give_back_small_blocks();
}

Allocator::Stats Allocator::stats() const {
  Stats stats;
  stats.live_bytes = live_bytes_.load(std::memory_order_relaxed);
  stats.peak_bytes = peak_bytes_.load(std::memory_order_relaxed);
  stats.pooled_bytes = pooled_bytes_.load(std::memory_order_relaxed);
  stats.allocations = bypassed_.load(std::memory_order_relaxed);
  for (const FreeList& list : lists_) {
    stats.pool_hits += list.hits.load(std::memory_order_acquire);  // first, so that there are not more of them
    stats.allocations += list.takes.load(std::memory_order_relaxed);
  }
  return stats;
}

int64_t Allocator::live_buffers() { return live_pool_buffers.load(std::memory_order_relaxed); }

}  // namespace tinytf
