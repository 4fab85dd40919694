#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace tinytf::ops {

/// Measures pulls of several candidates and tells which one is the fastest. Not thread-safe.
class FastestChoice {
 public:
  explicit FastestChoice(size_t candidates) : nanos_(candidates) {}

  /// Begins a measurement, unless one runs: that of a pull that was pending.
  void begin() {
    if (!start_) start_ = Clock::now();
  }
  void end(size_t candidate) {
    nanos_[candidate].push_back((Clock::now() - *start_).count());
    start_.reset();
  }
  /// The candidate with the least 90th percentile; without measurements, the first.
  size_t fastest() const {
    size_t best = 0;
    for (size_t i = 1; i < nanos_.size(); ++i) {
      if (percentile(nanos_[i]) < percentile(nanos_[best])) best = i;
    }
    return best;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static int64_t percentile(std::vector<int64_t> nanos) {
    if (nanos.empty()) return 0;
    const auto at = nanos.begin() + static_cast<std::ptrdiff_t>((nanos.size() - 1) * 9 / 10);
    std::nth_element(nanos.begin(), at, nanos.end());
    return *at;
  }

  std::vector<std::vector<int64_t>> nanos_;
  std::optional<Clock::time_point> start_;
};

}  // namespace tinytf::ops
