#include "kernels/cast.h"

#include <cmath>
#include <limits>
#include <vector>

#include "tests/cpp/harness.h"
#include "tests/cpp/kernel_fixture.h"

// Casts between all pairs of types with values that both represent, and edge cases of each kind of conversion.
namespace TINYTF_FILE {

using namespace tinytf;
using namespace tinytf::kernels;

template <class To, class From>
std::vector<To> cast(const std::vector<From>& x) {
  std::vector<To> y(x.size());
  const CastLoop loop = table().cast.loop(dtype_of<From>, dtype_of<To>);
  EXPECT(loop != nullptr);
  UnevenParallel uneven;
  run_cast(loop, dtype_of<From>, dtype_of<To>, x.data(), y.data(), static_cast<int64_t>(x.size()), uneven);
  return y;
}

/// A wrapper, because the elements of vector<bool> have no addresses.
template <class T>
struct Cell {
  T value;
};

template <class T>
T make(int value) {
  if constexpr (is_complex_v<T>) {
    return T(static_cast<typename T::value_type>(value));
  } else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return T(static_cast<float>(value));
  } else {
    return static_cast<T>(value);
  }
}

template <class T>
double number(T value) {
  if constexpr (is_complex_v<T>) {
    return value.real();
  } else {
    return static_cast<double>(static_cast<std::conditional_t<std::is_arithmetic_v<T>, T, float>>(value));
  }
}

template <class From, class To>
void expect_pair() {
  std::vector<Cell<From>> x(700);
  std::vector<Cell<To>> y(700);
  const bool any_bool = std::is_same_v<From, bool> || std::is_same_v<To, bool>;
  for (size_t i = 0; i < x.size(); ++i) x[i].value = make<From>(static_cast<int>(i) % (any_bool ? 2 : 100));
  const CastLoop loop = table().cast.loop(dtype_of<From>, dtype_of<To>);
  EXPECT(loop != nullptr);
  loop(x.data(), y.data(), 700);
  bool same = true;
  for (size_t i = 0; i < x.size(); ++i) same &= number(y[i].value) == number(x[i].value);
  if (!same)
    testing::fail(__FILE__, __LINE__,
                  str_cat(dtype_name(dtype_of<From>), " to ", dtype_name(dtype_of<To>), " at ", isa()));
}

template <class From>
void expect_from() {
#define TINYTF_X(constant, number, name, type) expect_pair<From, type>();
  TINYTF_NUMERIC_DTYPES(TINYTF_X)
#undef TINYTF_X
}

TINYTF_TEST(cast_every_pair) {
  for_each_isa([] {
#define TINYTF_X(constant, number, name, type) expect_from<type>();
    TINYTF_NUMERIC_DTYPES(TINYTF_X)
#undef TINYTF_X
  });
}

TINYTF_TEST(cast_float_to_integer_truncates) {
  const float inf = std::numeric_limits<float>::infinity();
  for_each_isa([&] {
    EXPECT((cast<int32_t, float>({1.9f, -1.9f, 3e9f, NAN, -inf}) ==
            std::vector<int32_t>{1, -1, INT32_MIN, INT32_MIN, INT32_MIN}));
    EXPECT((cast<uint8_t, float>({255.9f, 256.f, -1.f}) == std::vector<uint8_t>{255, 0, 255}));
    EXPECT((cast<int64_t, double>({-1e15 - 0.5, 9.3e18}) == std::vector<int64_t>{-1000000000000000, INT64_MIN}));
    EXPECT((cast<uint64_t, double>({1.5, 0x1p63, 1.8e19}) ==
            std::vector<uint64_t>{1, uint64_t{1} << 63, 18000000000000000000u}));
    EXPECT((cast<uint32_t, float>({4e9f, -1.f}) == std::vector<uint32_t>{4000000000u, 4294967295u}));
    EXPECT((cast<int8_t, int32_t>({300, -129}) == std::vector<int8_t>{44, 127}));
    EXPECT((cast<int64_t, uint32_t>({4294967295u}) == std::vector<int64_t>{4294967295}));
  });
}

TINYTF_TEST(cast_halves_match_their_types) {
  std::vector<float> x = {0.f,      -0.f,    65504.f, 65520.f, 65519.f,  1e-8f,
                          5.96e-8f, 6.1e-5f, 1.f,     NAN,     INFINITY, -INFINITY};
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 65521)
    x.push_back(detail::bits_as<float>(static_cast<uint32_t>(bits)));
  std::vector<Half> every(65536);
  for (size_t i = 0; i < every.size(); ++i) every[i].bits = static_cast<uint16_t>(i);
  for_each_isa([&] {
    const auto halves = cast<Half>(x);
    const auto brains = cast<BFloat16>(x);
    const auto floats = cast<float>(every);
    bool same = true;
    for (size_t i = 0; i < x.size(); ++i) {
      same &= std::isnan(x[i]) ? std::isnan(static_cast<float>(halves[i])) && std::isnan(static_cast<float>(brains[i]))
                               : halves[i].bits == Half(x[i]).bits && brains[i].bits == BFloat16(x[i]).bits;
    }
    for (size_t i = 0; i < every.size(); ++i) {
      const auto expected = static_cast<float>(every[i]);
      same &= std::isnan(expected) ? std::isnan(floats[i])
                                   : detail::bits_as<uint32_t>(floats[i]) == detail::bits_as<uint32_t>(expected);
    }
    EXPECT(same);
  });
}

TINYTF_TEST(cast_truncate_rounds_toward_zero) {
  for_each_isa([] {
    const std::vector<float> x = {1.0009f, -1.0009f, 70000.f, 1e-7f, 0.99999f};
    std::vector<Half> y(x.size());
    table().cast.truncate[static_cast<int>(DType::kFloat)][static_cast<int>(DType::kHalf)](x.data(), y.data(), 5);
    for (size_t i = 0; i < x.size(); ++i) EXPECT(std::abs(static_cast<float>(y[i])) <= std::abs(x[i]));
    EXPECT_EQ(static_cast<float>(y[0]), 1.f);
    EXPECT_EQ(static_cast<float>(y[2]), 65504.f);
    EXPECT_EQ(y[3].bits, 1);
    std::vector<BFloat16> z(x.size());
    table().cast.truncate[static_cast<int>(DType::kFloat)][static_cast<int>(DType::kBfloat16)](x.data(), z.data(), 5);
    EXPECT_EQ(static_cast<float>(z[4]), 0.99609375f);
  });
}

}  // namespace TINYTF_FILE
