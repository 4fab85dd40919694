#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace tinytf {

/// Returns the steady-clock time `timeout_ms` milliseconds from now. Timeouts are capped at 100 years, so that the
/// addition cannot overflow.
inline std::chrono::steady_clock::time_point deadline_after(int64_t timeout_ms) {
  constexpr std::chrono::milliseconds kLongest = std::chrono::hours(24 * 365 * 100);
  return std::chrono::steady_clock::now() + std::min(std::chrono::milliseconds(timeout_ms), kLongest);
}

}  // namespace tinytf
