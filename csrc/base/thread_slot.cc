#include "base/thread_slot.h"

#include <atomic>

namespace tinytf {

namespace {

std::atomic<uint32_t> taken{0};  // bits
std::atomic<uint32_t> late{0};   // threads that found all taken

/// Gives the number back when its thread ends. What the thread still frees after that uses the number all the same.
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
