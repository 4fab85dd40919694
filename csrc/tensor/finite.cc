#include "tensor/finite.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <type_traits>

#include "base/str_cat.h"

namespace tinytf {

namespace {

template <class Word>
bool is_full(const char* bytes, int64_t i, Word exponent) {
  Word word;
  std::memcpy(&word, bytes + i * static_cast<int64_t>(sizeof word), sizeof word);  // feeds may be unaligned
  return (word & exponent) == exponent;
}

/// Whether any word has all exponent bits set. Full blocks are processed without branches and with a constant length,
/// because compilers vectorize such loops at every optimization level.
template <class Word>
bool has_full_exponent(const void* data, int64_t n, Word exponent) {
  constexpr int64_t kBlock = 256 / sizeof(Word);
  const auto* bytes = static_cast<const char*>(data);
  for (; n >= kBlock; n -= kBlock, bytes += 256) {
    Word found = 0;
    for (int64_t i = 0; i < kBlock; ++i) found |= static_cast<Word>(is_full(bytes, i, exponent));
    if (found != 0) return true;
  }
  for (int64_t i = 0; i < n; ++i) {
    if (is_full(bytes, i, exponent)) return true;
  }
  return false;
}

void note(double value, ValueRange& range) {
  if (std::isnan(value)) {
    ++range.nans;
  } else if (std::isinf(value)) {
    ++range.infinities;
  } else {
    if (range.finite == 0 || value < range.least) range.least = value;
    if (range.finite == 0 || value > range.greatest) range.greatest = value;
    ++range.finite;
  }
}

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

template <class T>
void note_all(const Tensor& tensor, ValueRange& range) {
  const auto* bytes = static_cast<const char*>(tensor.raw());
  for (int64_t i = 0; i < tensor.num_elements(); ++i) {
    T value;
    std::memcpy(&value, bytes + i * static_cast<int64_t>(sizeof value), sizeof value);
    if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
      note(value.real(), range);
      note(value.imag(), range);
    } else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
      note(static_cast<float>(value), range);
    } else {
      note(static_cast<double>(value), range);
    }
  }
}

}  // namespace

std::string ValueRange::summary() const {
  std::string text;
  if (finite > 0) {
    text = least == greatest ? "all " + short_number(least)
                             : str_cat("in [", short_number(least), ", ", short_number(greatest), "]");
  }
  if (nans > 0) text += str_cat(text.empty() ? "" : " and ", nans, " NaN");
  if (infinities > 0) text += str_cat(text.empty() ? "" : " and ", infinities, " Inf");
  return text.empty() ? "empty" : text;
}

bool all_finite(const Tensor& tensor) {
  const int64_t n = tensor.num_elements();
  switch (tensor.dtype()) {
    case DType::kFloat: return !has_full_exponent<uint32_t>(tensor.raw(), n, 0x7F800000u);
    case DType::kComplex64: return !has_full_exponent<uint32_t>(tensor.raw(), 2 * n, 0x7F800000u);
    case DType::kDouble: return !has_full_exponent<uint64_t>(tensor.raw(), n, 0x7FF0000000000000u);
    case DType::kComplex128: return !has_full_exponent<uint64_t>(tensor.raw(), 2 * n, 0x7FF0000000000000u);
    case DType::kHalf: return !has_full_exponent<uint16_t>(tensor.raw(), n, 0x7C00u);
    case DType::kBfloat16: return !has_full_exponent<uint16_t>(tensor.raw(), n, 0x7F80u);
    default: return true;
  }
}

ValueRange value_range(const Tensor& tensor) {
  ValueRange range;
  switch (tensor.dtype()) {
#define TINYTF_X(constant, number, name, type) \
  case DType::constant: note_all<type>(tensor, range); break;
    TINYTF_NUMERIC_DTYPES(TINYTF_X)
#undef TINYTF_X
    default: break;
  }
  return range;
}

}  // namespace tinytf
