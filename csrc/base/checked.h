#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace tinytf {

/// A size, count or offset computed from untrusted numbers. Overflow of int64, division by zero and any arithmetic with
/// an invalid Size yield an invalid Size; nothing wraps around or is undefined. As an int64, an invalid Size is
/// kNoSize, a negative number that shapes, allocations and views reject like any other negative size.
///
///   Size end = Size(begin) + size;                      // may be invalid
///   if (!end.within(0, available)) return invalid_argument(…);
///   shape.set_dim(axis, (Size(before) + dim + after).value());   // allocate_output rejects it if it is invalid
class Size {
 public:
  static constexpr int64_t kNoSize = std::numeric_limits<int64_t>::min();

  constexpr Size(int64_t value) : value_(value) {}  // NOLINT(google-explicit-constructor)

  constexpr bool ok() const { return value_ != kNoSize; }
  /// The number, or kNoSize.
  constexpr int64_t value() const { return value_; }
  /// Whether the Size is valid and in [low, high].
  constexpr bool within(int64_t low, int64_t high) const { return ok() && low <= value_ && value_ <= high; }

  friend constexpr Size operator+(Size a, Size b) {
    int64_t sum = 0;
    return !a.ok() || !b.ok() || __builtin_add_overflow(a.value_, b.value_, &sum) ? none() : Size(sum);
  }
  friend constexpr Size operator-(Size a, Size b) {
    int64_t difference = 0;
    return !a.ok() || !b.ok() || __builtin_sub_overflow(a.value_, b.value_, &difference) ? none() : Size(difference);
  }
  friend constexpr Size operator*(Size a, Size b) {
    int64_t product = 0;
    return !a.ok() || !b.ok() || __builtin_mul_overflow(a.value_, b.value_, &product) ? none() : Size(product);
  }
  /// Rounds toward zero.
  friend constexpr Size operator/(Size a, Size b) {
    return !a.ok() || !b.ok() || b.value_ == 0 ? none() : Size(b.value_ == -1 ? -a.value_ : a.value_ / b.value_);
  }
  friend constexpr Size operator%(Size a, Size b) {
    return !a.ok() || !b.ok() || b.value_ == 0 ? none() : Size(b.value_ == -1 ? 0 : a.value_ % b.value_);
  }
  Size& operator+=(Size other) { return *this = *this + other; }
  Size& operator-=(Size other) { return *this = *this - other; }
  Size& operator*=(Size other) { return *this = *this * other; }

  static constexpr Size none() { return Size(kNoSize); }

 private:
  int64_t value_;
};

/// The number as text for messages.
inline std::string to_string(Size size) {
  return size.ok() ? std::to_string(size.value()) : std::string("a number beyond 2**63 - 1");
}

/// Returns a / b rounded up for a >= 0 and b > 0, otherwise an invalid Size.
constexpr Size ceil_div(Size a, Size b) {
  if (!a.ok() || !b.ok() || a.value() < 0 || b.value() <= 0) return Size::none();
  return a.value() / b.value() + (a.value() % b.value() != 0 ? 1 : 0);
}

}  // namespace tinytf
