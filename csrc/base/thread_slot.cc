#include "base/thread_slot.h"

#include <atomic>

namespace tinytf {

namespace {

std::atomic<uint32_t> taken{0};  // bit i is set while a thread has slot i
std::atomic<uint32_t> late{0};   // number of threads that found no free slot

/// Releases the slot when its thread ends. Memory that the thread frees after that still uses the slot's number.
struct Taken {
  int slot = -1;
  ~Taken() {
    if (slot >= 0) taken.fetch_and(~(uint32_t{1} << slot), std::memory_order_relaxed);
  }
};

}  // namespace

int ThreadSlot::take() noexcept {
  static thread_local Taken mine;
  uint32_t seen = taken.load(std::memory_order_relaxed);
  for (int slot = 0; slot < kThreadSlots;) {
    const uint32_t bit = uint32_t{1} << slot;
    if ((seen & bit) != 0) {
      ++slot;
    } else if (taken.compare_exchange_weak(seen, seen | bit, std::memory_order_relaxed)) {
      mine.slot = slot;
      return current_ = slot;
    }
  }
  return current_ = static_cast<int>(late.fetch_add(1, std::memory_order_relaxed) % kThreadSlots);
}

}  // namespace tinytf
