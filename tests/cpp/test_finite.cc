#include "tensor/finite.h"

#include <complex>
#include <cstring>
#include <limits>

#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::tensor;
using testing::values;

template <class T>
Tensor filled(int64_t n, T value) {
  return tensor<T>({n}, std::vector<T>(static_cast<size_t>(n), value));
}

/// Puts each of `bad` at several places of a tensor whose other elements are `good`: extreme but finite.
template <class T>
void check_type(const std::vector<T>& good, const std::vector<T>& bad) {
  for (const int64_t n : {1, 7, 4096, 4097, 20000}) {
    for (const T value : good) {
      Tensor whole = filled<T>(n, value);
      EXPECT(all_finite(whole));
      for (const T other : bad) {
        for (const int64_t at : {int64_t{0}, n / 2, n - 1}) {
          whole.data<T>()[at] = other;
          EXPECT(!all_finite(whole));
          whole.data<T>()[at] = value;
        }
      }
    }
  }
}

template <class T>
void check_real() {
  using Limits = std::numeric_limits<T>;
  check_type<T>({Limits::max(), Limits::lowest(), Limits::denorm_min(), T(0)},
                {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), Limits::signaling_NaN()});
}

template <class T>
void check_complex() {
  using C = std::complex<T>;
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  check_type<C>({C(1, -2)}, {C(inf, 0), C(0, nan), C(-inf, nan)});
}

TINYTF_TEST(all_finite_finds_each_kind_of_number) {
  check_real<float>();
  check_real<double>();
  check_complex<float>();
  check_complex<double>();
  const float inf = std::numeric_limits<float>::infinity();
  check_type<Half>({Half(65504.f), Half(-1.f), Half(0.f)}, {Half(inf), Half(-inf), Half(std::nanf(""))});
  check_type<BFloat16>({BFloat16(3e38f), BFloat16(-1.f)}, {BFloat16(inf), BFloat16(-inf), BFloat16(std::nanf(""))});
}

TINYTF_TEST(all_finite_is_true_for_other_types) {
  EXPECT(all_finite(filled<int32_t>(9, 0x7F800000)));
  EXPECT(all_finite(filled<int64_t>(9, 0x7FF0000000000000)));
  EXPECT(all_finite(filled<uint8_t>(9, 0xFF)));
  EXPECT(all_finite(filled<bool>(9, true)));
  EXPECT(all_finite(tensor<std::string>({1}, {"nan"})));
  EXPECT(all_finite(Tensor::allocate(Allocator::process(), DType::kResource, Shape{2}).value()));
  EXPECT(all_finite(tensor<float>({0}, {})));
}

TINYTF_TEST(value_range_counts_and_bounds) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  const ValueRange range = value_range(tensor<float>({6}, {nan, 3, -inf, -1.5f, nan, inf}));
  EXPECT_EQ(range.nans, 2);
  EXPECT_EQ(range.infinities, 2);
  EXPECT_EQ(range.finite, 2);
  EXPECT_EQ(range.least, -1.5);
  EXPECT_EQ(range.greatest, 3.0);
  const ValueRange complex = value_range(tensor<std::complex<float>>({2}, {{1, -7}, {nan, 9}}));
  EXPECT_EQ(complex.nans, 1);
  EXPECT_EQ(complex.finite, 3);
  EXPECT_EQ(complex.least, -7.0);
  EXPECT_EQ(complex.greatest, 9.0);
  EXPECT_EQ(value_range(tensor<std::string>({1}, {"x"})).finite, 0);
}

TINYTF_TEST(value_range_sums_up) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  const auto summary = [](const Tensor& tensor) { return value_range(tensor).summary(); };
  EXPECT_EQ(summary(tensor<float>({3}, {-1, 4, 0.5f})), "in [-1, 4]");
  EXPECT_EQ(summary(tensor<float>({2}, {0, 0})), "all 0");
  EXPECT_EQ(summary(tensor<float>({4}, {0, 1, nan, nan})), "in [0, 1] and 2 NaN");
  EXPECT_EQ(summary(tensor<float>({3}, {1, nan, inf})), "all 1 and 1 NaN and 1 Inf");
  EXPECT_EQ(summary(tensor<float>({1}, {-inf})), "1 Inf");
  EXPECT_EQ(summary(tensor<float>({0}, {})), "empty");
  EXPECT_EQ(summary(tensor<int32_t>({2}, {-3, 1234567})), "in [-3, 1.23457e+06]");
  EXPECT_EQ(summary(tensor<bool>({2}, {false, true})), "in [0, 1]");
  EXPECT_EQ(summary(tensor<Half>({1}, {Half(0.5f)})), "all 0.5");
}

/// A buffer at a misaligned address.
class OddBuffer final : public Buffer {
 public:
  explicit OddBuffer(size_t bytes) : OddBuffer(std::make_unique<char[]>(bytes + 1), bytes) {}

 private:
  OddBuffer(std::unique_ptr<char[]> memory, size_t bytes)
      : Buffer(memory.get() + 1, bytes, false), memory_(std::move(memory)) {}
  std::unique_ptr<char[]> memory_;
};

TINYTF_TEST(finite_reads_memory_of_any_alignment) {
  const double numbers[3] = {1, 2, std::numeric_limits<double>::infinity()};
  auto buffer = make_ref<OddBuffer>(sizeof numbers);
  std::memcpy(buffer->data(), numbers, sizeof numbers);
  const Tensor odd(DType::kDouble, Shape{3}, buffer);
  EXPECT(!all_finite(odd));
  EXPECT_EQ(value_range(odd).summary(), "in [1, 2] and 1 Inf");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
