#pragma once

#include <atomic>

namespace tinytf {

/// The memory order of statistics and hints: it orders no other memory.
inline constexpr auto kRelaxed = std::memory_order_relaxed;

/// Raises `most` to at least `value`. Uses relaxed memory order, hence for statistics only.
template <class T>
void raise_to(std::atomic<T>& most, T value) noexcept {
  T seen = most.load(kRelaxed);
  while (value > seen && !most.compare_exchange_weak(seen, value, kRelaxed)) {
  }
}

}  // namespace tinytf
