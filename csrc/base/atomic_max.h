#pragma once

#include <atomic>

namespace tinytf {

/// Raises `most` to at least `value`. Uses relaxed memory order, hence for statistics only.
template <class T>
void raise_to(std::atomic<T>& most, T value) noexcept {
  T seen = most.load(std::memory_order_relaxed);
  while (value > seen && !most.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

}  // namespace tinytf
