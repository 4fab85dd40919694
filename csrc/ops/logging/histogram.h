#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/status.h"
#include "io/wire.h"

namespace tinytf::ops {

/// What TensorFlow's histograms tell of numbers: sums, and counts in buckets. A bucket's limit is the first one above
/// what it counts; limits are 0, ±1e-12 and each 1.1 times the one before, up to 1e20, and ±DBL_MAX.
class Histogram {
 public:
  /// Sums depend on the order of numbers. Those that are not finite are counted anywhere.
  void add(const double* values, int64_t n);
  /// Whether all numbers may have been finite: false too where sums are beyond what a double holds.
  bool is_finite() const { return std::isfinite(sum_); }
  /// The fields of a HistogramProto. A run of empty buckets is written as its last one.
  void write(WireWriter& to) const;

 private:
  static constexpr int kLadder = 774;  ///< limits from 1e-12 to 1e20
  static constexpr int kLimits = 2 * kLadder + 3;
  struct Limits;
  static const Limits limits_;

  double min_ = std::numeric_limits<double>::max();
  double max_ = std::numeric_limits<double>::lowest();
  double count_ = 0, sum_ = 0, sum_squares_ = 0;
  /// Numbers take turns, as the next often goes where the one before did, whose count is not in memory yet.
  std::array<int64_t, kLimits> buckets_[2]{};
};

}  // namespace tinytf::ops
