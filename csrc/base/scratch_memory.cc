#include "base/scratch_memory.h"

#include <atomic>
#include <cstdlib>
#include <new>

#include "base/aligned_memory.h"

namespace tinytf {

namespace {

constexpr int kLevels = 8;
constexpr size_t kKept = size_t{128} << 10;  // bytes per nesting level

std::atomic<int64_t> kept{0};
thread_local ScratchSource* current = nullptr;

/// The memory that a thread caches: one block per nesting level.
struct Pile {
  struct Level {
    void* memory = nullptr;
    size_t bytes = 0;
  };
  Level levels[kLevels];
  int depth = 0;

  /// The block of that level, enlarged to at least `bytes` bytes; null when memory is exhausted.
  void* level(int number, size_t bytes) {
    Level& mine = levels[number];
    if (mine.bytes < bytes) {
      size_t size = size_t{4} << 10;
      while (size < bytes) size *= 2;
      drop(mine);
      mine.memory = allocate_aligned(size);
      if (mine.memory == nullptr) return nullptr;
      mine.bytes = size;
      kept.fetch_add(static_cast<int64_t>(size), std::memory_order_relaxed);
    }
    return mine.memory;
  }
  static void drop(Level& level) {
    kept.fetch_sub(static_cast<int64_t>(level.bytes), std::memory_order_relaxed);
    std::free(level.memory);
    level = {};
  }
  ~Pile() {
    for (Level& level : levels) drop(level);
  }
};

Pile& pile() {
  static thread_local Pile pile;
  return pile;
}

}  // namespace

ScratchScope::ScratchScope(ScratchSource* source) noexcept : around_(current) { current = source; }

ScratchScope::~ScratchScope() { current = around_; }

ScratchSource* ScratchScope::source() noexcept { return current; }

ScratchMemory::ScratchMemory(size_t bytes) {
  Pile& mine = pile();
  if (mine.depth < kLevels && bytes <= kKept) {
    memory_ = mine.level(mine.depth, bytes);
  } else {
    if (current != nullptr) {
      const ScratchSource::Loan loan = current->lend(bytes);
      memory_ = loan.memory;
      owner_ = loan.owner;
      if (memory_ != nullptr) source_ = current;
    }
    if (memory_ == nullptr) {
      memory_ = allocate_aligned(bytes);
      is_own_ = true;
    }
  }
  if (memory_ == nullptr && bytes > 0) throw std::bad_alloc();
  ++mine.depth;
}

ScratchMemory::~ScratchMemory() {
  --pile().depth;
  if (source_ != nullptr) {
    source_->take_back({memory_, owner_});
  } else if (is_own_) {
    std::free(memory_);
  }
}

void* ScratchMemory::get() const { return memory_; }

int64_t ScratchMemory::kept_bytes() noexcept { return kept.load(std::memory_order_relaxed); }

}  // namespace tinytf
