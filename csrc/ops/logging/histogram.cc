#include "ops/logging/histogram.h"

#include <algorithm>
#include <cstring>

namespace tinytf::ops {

namespace {

uint64_t bits_of(double value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

/// Positive numbers are in the order of their bits. A cell is all numbers that have the same first 16 bits: exponent
/// and four bits more, so that it is too narrow for two limits.
struct Histogram::Limits {
  static constexpr int kCellShift = 48;

  std::array<double, kLimits> all{};
  std::array<uint64_t, kLadder + 1> ladder{};  ///< bits; behind the last limit one that no number reaches
  int64_t first_cell = 0, last_cell = 0;
  std::array<uint16_t, 2048> below{};  ///< of each cell how many limits lie below it

  Limits() {
    double limit = 1e-12;
    for (int i = 0; i < kLadder; ++i, limit *= 1.1) {
      ladder[i] = bits_of(limit);
      all[kLadder + 2 + i] = limit;
      all[kLadder - i] = -limit;
    }
    TINYTF_CHECK(limit >= 1e20 && all[kLimits - 2] < 1e20);
    ladder[kLadder] = UINT64_MAX;
    all[0] = std::numeric_limits<double>::lowest();
    all[kLimits - 1] = std::numeric_limits<double>::max();
    first_cell = static_cast<int64_t>(ladder[0] >> kCellShift);
    last_cell = static_cast<int64_t>(ladder[kLadder - 1] >> kCellShift);
    TINYTF_CHECK(last_cell - first_cell < static_cast<int64_t>(below.size()));
    for (int64_t cell = first_cell; cell <= last_cell; ++cell) {
      const auto* end = std::lower_bound(ladder.begin(), ladder.end(), static_cast<uint64_t>(cell) << kCellShift);
      below[cell - first_cell] = static_cast<uint16_t>(end - ladder.begin());
    }
  }

  /// The number of the first limit above a finite number, or of the last one. Without branches, as nobody can foresee
  /// signs.
  int64_t bucket(double value) const {
    const int64_t negative = value < 0 ? 1 : 0;
    // How many limits of the ladder are not above the number's distance from 0, or not above the next smaller one.
    const uint64_t bits = (bits_of(value) & INT64_MAX) - static_cast<uint64_t>(negative);
    const int64_t cell = std::clamp(static_cast<int64_t>(bits >> kCellShift), first_cell, last_cell);
    int64_t rank = below[cell - first_cell];
    rank += ladder[rank] <= bits ? 1 : 0;
    return kLadder + 2 + (rank ^ -negative);
  }
};

const Histogram::Limits Histogram::limits_;

void Histogram::add(const double* values, int64_t n) {
  double sum = sum_, sum_squares = sum_squares_, min = min_, max = max_;
  for (int64_t i = 0; i < n; ++i) {
    const double value = values[i];
    sum += value;
    sum_squares += value * value;
    min = std::min(min, value);
    max = std::max(max, value);
    ++buckets_[i & 1][limits_.bucket(value)];
  }
  sum_ = sum;
  sum_squares_ = sum_squares;
  min_ = min;
  max_ = max;
  count_ += static_cast<double>(n);
}

void Histogram::write(WireWriter& to) const {
  constexpr int kLimit = 6, kBucket = 7;
  uint32_t field = 0;
  for (const double number : {min_, max_, count_, sum_, sum_squares_}) {
    ++field;
    if (number != 0) to.float64(field, number);
  }
  const auto count = [this](int i) { return buckets_[0][i] + buckets_[1][i]; };
  const auto ends_run = [&](int i) { return i + 1 == kLimits || count(i) > 0 || count(i + 1) > 0; };
  to.nested(kLimit, [&] {
    for (int i = 0; i < kLimits; ++i) {
      if (ends_run(i)) to.fixed(limits_.all[i]);
    }
  });
  to.nested(kBucket, [&] {
    for (int i = 0; i < kLimits; ++i) {
      if (ends_run(i)) to.fixed(static_cast<double>(count(i)));
    }
  });
}

}  // namespace tinytf::ops
