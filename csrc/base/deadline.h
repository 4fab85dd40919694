#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace tinytf {

/// So long from now, on the steady clock. More than a century counts as one, which the clock can add to its time.
inline std::chrono::steady_clock::time_point deadline_after(int64_t timeout_ms) {
  constexpr std::chrono::milliseconds kLongest = std::chrono::hours(24 * 365 * 100);
  return std::chrono::steady_clock::now() + std::min(std::chrono::milliseconds(timeout_ms), kLongest);
}

}  // namespace tinytf
