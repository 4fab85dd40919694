#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/status.h"
#include "io/wire.h"

namespace tinytf::ops {

/// A histogram as in TensorFlow's summaries: sums, and counts in buckets. The limit of a bucket is the first one
/// greater than the counted numbers. Limits are 0, ±1e-12 and each 1.1 times the previous one up to 1e20, and ±DBL_MAX.
class Histogram {
 public:
  /// Adds numbers. The rounding of the sums depends on the order of the numbers. Numbers that are not finite are
  /// counted in an arbitrary bucket.
  void add(const double* values, int64_t n);
  /// Returns false if a number is not finite or the sum overflows.
  bool is_finite() const { return std::isfinite(sum_); }
  /// Writes the fields of a HistogramProto. A run of empty buckets is written as its last bucket.
  void write(WireWriter& to) const;

 private:
  static constexpr int kLadder = 774;  ///< number of limits from 1e-12 to 1e20
  static constexpr int kLimits = 2 * kLadder + 3;
  struct Limits;
  static const Limits limits_;

  double min_ = std::numeric_limits<double>::max();
  double max_ = std::numeric_limits<double>::lowest();
  double count_ = 0, sum_ = 0, sum_squares_ = 0;
  /// Numbers alternate between two arrays: consecutive numbers often share a bucket, and the increment would wait for
  /// the previous one to reach memory.
  std::array<int64_t, kLimits> buckets_[2]{};
};

}  // namespace tinytf::ops
