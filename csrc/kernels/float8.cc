#include "kernels/float8.h"

#include <array>
#include <cmath>
#include <limits>

namespace tinytf::kernels {

namespace {

/// Layout of a float8 type.
struct Format {
  int mantissa_bits;
  int bias;
  int largest;       // Bits of the largest finite magnitude.
  int beyond;        // Bits for larger magnitudes: infinity or NaN.
  int nan;           // Bits of NaN.
  bool signed_zero;  // If false, the bits of -0 are the only NaN, and there is no infinity.
};

Format format_of(DType type) {
  if (type == kFloat8E5m2) return {2, 15, 0x7B, 0x7C, 0x7E, true};
  if (type == kFloat8E4m3fn) return {3, 7, 0x7E, 0x7F, 0x7F, true};
  if (type == kFloat8E4m3fnuz) return {3, 8, 0x7F, 0x80, 0x80, false};
  if (type == kFloat8E4m3b11fnuz) return {3, 11, 0x7F, 0x80, 0x80, false};
  return {2, 16, 0x7F, 0x80, 0x80, false};  // kFloat8E5m2fnuz
}

float decoded(const Format& format, int bits) {
  const int magnitude = bits & 0x7F;
  if (!format.signed_zero && bits == 0x80) return std::numeric_limits<float>::quiet_NaN();
  const float sign = bits & 0x80 ? -1.0f : 1.0f;
  if (magnitude > format.largest) {
    const bool infinite = magnitude == format.beyond && format.beyond != format.nan;
    return sign * (infinite ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN());
  }
  const int hidden = 1 << format.mantissa_bits;
  const int exponent = magnitude >> format.mantissa_bits;
  const int mantissa = magnitude & (hidden - 1);
  const int lowest = 1 - format.bias - format.mantissa_bits;  // Exponent of the smallest number.
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), lowest);
  return sign * std::ldexp(static_cast<float>(mantissa + hidden), lowest + exponent - 1);
}

using Values = std::array<float, 256>;

constexpr int kTypes = 5;

std::array<Values, kTypes> all_values() {
  std::array<Values, kTypes> values;
  for (int i = 0; i < kTypes; ++i) {
    const Format format = format_of(static_cast<DType>(static_cast<int>(kFloat8E5m2) + i));
    for (int bits = 0; bits < 256; ++bits) values[i][static_cast<size_t>(bits)] = decoded(format, bits);
  }
  return values;
}

const std::array<Values, kTypes> values_by_type = all_values();

const Values& values_of(DType type) {
  return values_by_type[static_cast<size_t>(type) - static_cast<size_t>(kFloat8E5m2)];
}

double power_of_two(int exponent) { return detail::bits_as<double>(static_cast<uint64_t>(1023 + exponent) << 52); }

int magnitude_of(const Format& format, double x) {
  constexpr double kTooLarge = 0x1p17;  // For all types; infinity too.
  if (!(x < kTooLarge)) return format.beyond;
  const int lowest = 1 - format.bias;
  const int own = static_cast<int>(detail::bits_as<uint64_t>(x) >> 52) - 1023;
  const int exponent = own > lowest ? own : lowest;
  // Adding and subtracting this rounds to a multiple of the number's last digit, to nearest even.
  const double rounder = power_of_two(exponent - format.mantissa_bits + 52);
  const double rounded = (x + rounder) - rounder;
  const int digits = static_cast<int>(rounded * power_of_two(format.mantissa_bits - exponent));
  const int magnitude = digits + ((exponent - lowest) << format.mantissa_bits);
  return magnitude > format.largest ? format.beyond : magnitude;
}

}  // namespace

void float8_to_float(DType type, const uint8_t* x, float* y, int64_t n) {
  const Values& values = values_of(type);
  for (int64_t i = 0; i < n; ++i) y[i] = values[x[i]];
}

void float8_from_double(DType type, const double* x, uint8_t* y, int64_t n) {
  const Format format = format_of(type);
  for (int64_t i = 0; i < n; ++i) {
    const int magnitude = x[i] != x[i] ? format.nan : magnitude_of(format, std::fabs(x[i]));
    const bool negative = std::signbit(x[i]) && (format.signed_zero || magnitude != 0);
    y[i] = static_cast<uint8_t>(magnitude | (negative ? 0x80 : 0));
  }
}

}  // namespace tinytf::kernels
