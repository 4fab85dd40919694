#include "ops/logging/shared/histogram.h"

#include <algorithm>
#include <cstring>

namespace tinytf::ops {

namespace {

uint64_t bits_of(double value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

double number_of(uint64_t bits) {
  double number = 0;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

}  // namespace

/// Maps numbers to buckets by cells. A cell contains all numbers with the same first 16 bits: the sign, the exponent
/// and four more bits. A cell is so narrow that it contains at most one limit.
struct Histogram::Limits {
  static constexpr int kCellShift = 48, kCells = 1 << 16, kSign = kCells / 2, kNotFinite = 0x7ff0;

  std::array<double, kLimits> all{};
  /// The same, except that the last limit cannot be reached, because no bucket follows it.
  std::array<double, kLimits> next{};
  std::array<uint16_t, kCells> bucket{};  ///< bucket of the smallest number in each cell

  Limits() {
    double limit = 1e-12;
    for (int i = 0; i < kLadder; ++i, limit *= 1.1) {
      all[kLadder + 2 + i] = limit;
      all[kLadder - i] = -limit;
    }
    TINYTF_CHECK(limit >= 1e20 && all[kLimits - 2] < 1e20);
    all[0] = std::numeric_limits<double>::lowest();
    all[kLimits - 1] = std::numeric_limits<double>::max();
    next = all;
    next[kLimits - 1] = std::numeric_limits<double>::infinity();
    // The first limit above the cell's least value, and the last limit below its end.
    int above = kLadder + 1, below = kLadder + 1;
    for (int cell = 0; cell < kNotFinite; ++cell) {
      const double least = number_of(uint64_t(cell) << kCellShift),
                   next_least = number_of(uint64_t(cell + 1) << kCellShift);
      while (all[above] <= least && above + 1 < kLimits) ++above;
      while (all[below + 1] < next_least && below + 2 < kLimits) ++below;
      bucket[cell] = static_cast<uint16_t>(above);
      bucket[kSign + cell] = static_cast<uint16_t>(kLimits - 1 - below);
    }
  }

  /// Index of the first limit greater than a finite number, or of the last limit. Without branches, because they would
  /// be unpredictable.
  int64_t bucket_of(double number) const {
    const int64_t least = bucket[bits_of(number) >> kCellShift];
    return least + (number >= next[least] ? 1 : 0);
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
    ++buckets_[i & 1][limits_.bucket_of(value)];
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
