#include "kernels/reduce.h"

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <vector>

#include "tests/cpp/harness.h"
#include "tests/cpp/kernel_fixture.h"

// Reductions compared with sums in wide arithmetic, for every set of axes of shapes that cover each path of the driver.
namespace TINYTF_FILE {

using namespace tinytf;
using namespace tinytf::kernels;
using Shape = std::vector<int64_t>;

int64_t volume(const Shape& shape) {
  int64_t n = 1;
  for (int64_t e : shape) n *= e;
  return n;
}

/// The output index for each element.
std::vector<int64_t> output_of_each(const Shape& shape, uint32_t axes) {
  std::vector<int64_t> result(volume(shape));
  for (size_t i = 0; i < result.size(); ++i) {
    auto rest = static_cast<int64_t>(i);
    int64_t step = 1;
    for (size_t d = shape.size(); d-- > 0; rest /= shape[d]) {
      if (axes >> d & 1) continue;
      result[i] += rest % shape[d] * step;
      step *= shape[d];
    }
  }
  return result;
}

template <class T>
std::vector<T> reduce(Reduction op, const Shape& shape, uint32_t axes, const std::vector<T>& x, Parallel& parallel) {
  ReducePlan plan;
  EXPECT(make_reduce_plan(shape.data(), static_cast<int>(shape.size()), axes, &plan));
  std::vector<T> out(plan.out_size);
  const ReduceLoop& loop = table().reduce.loop(op, dtype_of<T>);
  EXPECT(static_cast<bool>(loop));
  run_reduce(loop, plan, x.data(), out.data(), parallel);
  return out;
}

template <class T>
void expect_sums(const Shape& shape, uint32_t axes) {
  const auto x = random_values<T>(volume(shape), 5);
  const auto outputs = output_of_each(shape, axes);
  UnevenParallel uneven;
  SerialParallel serial;
  const auto sums = reduce(Reduction::kSum, shape, axes, x, uneven);
  const auto largest = reduce(Reduction::kMax, shape, axes, x, uneven);
  const auto again = reduce(Reduction::kSum, shape, axes, x, serial);
  bool deterministic = true;
  std::vector<Wide<T>> expected(sums.size());
  std::vector<Wide<T>> maximum(sums.size());
  std::vector<bool> seen(sums.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const int64_t o = outputs[i];
    expected[o] += wide(x[i]);
    if (!seen[o] || static_cast<double>(x[i]) > static_cast<double>(static_cast<T>(maximum[o])))
      maximum[o] = wide(x[i]);
    seen[o] = true;
  }
  double worst = 0;
  for (size_t o = 0; o < sums.size(); ++o) {
    worst = std::max(worst, distance(sums[o], expected[o]));
    deterministic &= std::memcmp(&sums[o], &again[o], sizeof(T)) == 0;
    worst = std::max(worst, distance(largest[o], maximum[o]));
  }
  EXPECT(deterministic);
  if (worst > tolerance<T>(20))
    testing::fail(__FILE__, __LINE__,
                  str_cat(testing::show(worst), " at ", isa(), ", axes ", axes, ", rank ", shape.size(), ", last ",
                          shape.back()));
}

TINYTF_TEST(reduce_every_set_of_axes) {
  for_each_isa([] {
    for (const Shape& shape : {Shape{5}, Shape{3, 7}, Shape{2, 3, 4, 5}, Shape{130, 67}, Shape{3000, 3},
                               Shape{6, 400, 3}, Shape{1, 9, 1, 4}, Shape{3, 2500}}) {
      for (uint32_t axes = 0; axes < 1u << shape.size(); ++axes) {
        expect_sums<float>(shape, axes);
        expect_sums<int16_t>(shape, axes);
        expect_sums<double>(shape, axes);
      }
    }
  });
}

TINYTF_TEST(reduce_large_in_parts) {
  for_each_isa([] {
    for (uint32_t axes : {1u, 2u, 3u}) {
      expect_sums<float>({1500, 1000}, axes);
      expect_sums<float>({3, 300000}, axes);
      expect_sums<float>({150000, 10}, axes);
      expect_sums<int32_t>({700, 5000}, axes);
    }
    expect_sums<float>({200000, 2, 3}, 0b101);
  });
}

TINYTF_TEST(reduce_sums_stay_accurate) {
  // 0.1 is not exact in float: a sequential sum of 16 million drifts by several percent, a tree does not.
  const std::vector<float> x(1 << 24, 0.1f);
  SerialParallel serial;
  for_each_isa([&] {
    const double expected = static_cast<double>(0.1f) * (1 << 24);
    for (const Shape& shape : {Shape{1 << 24}, Shape{1 << 20, 16}, Shape{1 << 14, 1 << 10}}) {
      const auto rows = reduce(Reduction::kSum, shape, 1u, x, serial);
      for (float v : rows) EXPECT_NEAR(v * static_cast<double>(rows.size()) / expected, 1, 1e-6);
    }
  });
}

TINYTF_TEST(reduce_kinds) {
  SerialParallel serial;
  const float inf = std::numeric_limits<float>::infinity();
  for_each_isa([&] {
    EXPECT_NEAR(reduce<float>(Reduction::kMean, {4}, 1, {1, 2, 3, 5}, serial)[0], 2.75, 0);
    EXPECT_EQ(reduce<int32_t>(Reduction::kMean, {2}, 1, {INT32_MAX, INT32_MAX}, serial)[0], INT32_MAX);
    EXPECT_EQ(reduce<int32_t>(Reduction::kMean, {2}, 1, {-3, 0}, serial)[0], -1);
    EXPECT_EQ(reduce<uint8_t>(Reduction::kMean, {3}, 1, {255, 255, 252}, serial)[0], 254);
    EXPECT_EQ(reduce<int32_t>(Reduction::kProd, {4}, 1, {2, -3, 4, 5}, serial)[0], -120);
    EXPECT_EQ(reduce<float>(Reduction::kMin, {3}, 1, {2, -3, inf}, serial)[0], -3.f);
    EXPECT(std::isnan(reduce<float>(Reduction::kMax, {3}, 1, {2, NAN, inf}, serial)[0]));
    std::vector<float> long_row(1000, 1.f);
    long_row[777] = NAN;
    EXPECT(std::isnan(reduce<float>(Reduction::kMax, {1000}, 1, long_row, serial)[0]));
    EXPECT_NEAR(reduce<float>(Reduction::kL2Loss, {2}, 1, {3, 4}, serial)[0], 12.5, 0);
    EXPECT_NEAR(reduce<double>(Reduction::kEuclideanNorm, {2}, 1, {3, 4}, serial)[0], 5, 0);
    EXPECT_EQ(reduce<int32_t>(Reduction::kEuclideanNorm, {2}, 1, {3, 4}, serial)[0], 5);
    const auto c = reduce<std::complex<float>>(Reduction::kMean, {2}, 1, {{1, 2}, {3, -4}}, serial)[0];
    EXPECT_EQ(c.real(), 2.f);
    EXPECT_EQ(c.imag(), -1.f);
    EXPECT_NEAR(
        static_cast<float>(reduce<Half>(Reduction::kSum, {3000}, 1, std::vector<Half>(3000, Half(1.f)), serial)[0]),
        3000, 0);
    const std::vector<uint8_t> flags = {1, 1, 0, 1, 1, 1};
    bool all[2], any[2];
    ReducePlan plan;
    const int64_t dims[] = {2, 3};
    EXPECT(make_reduce_plan(dims, 2, 2, &plan));
    run_reduce(table().reduce.loop(Reduction::kAll, DType::kBool), plan, flags.data(), all, serial);
    run_reduce(table().reduce.loop(Reduction::kAny, DType::kBool), plan, flags.data(), any, serial);
    EXPECT(!all[0] && all[1] && any[0] && any[1]);
  });
}

TINYTF_TEST(reduce_nothing_gives_identities) {
  SerialParallel serial;
  for_each_isa([&] {
    EXPECT(reduce<float>(Reduction::kSum, {2, 0}, 2, {}, serial) == (std::vector<float>{0, 0}));
    EXPECT(reduce<float>(Reduction::kProd, {0, 2}, 1, {}, serial) == (std::vector<float>{1, 1}));
    EXPECT_EQ(reduce<float>(Reduction::kMax, {0}, 1, {}, serial)[0], -std::numeric_limits<float>::infinity());
    EXPECT_EQ(reduce<int32_t>(Reduction::kMin, {0}, 1, {}, serial)[0], INT32_MAX);
    EXPECT(std::isnan(reduce<float>(Reduction::kMean, {0}, 1, {}, serial)[0]));
    EXPECT_EQ(reduce<int64_t>(Reduction::kMean, {0}, 1, {}, serial)[0], 0);
    EXPECT(reduce<float>(Reduction::kSum, {0, 3}, 2, {}, serial).empty());
    EXPECT_EQ(reduce<float>(Reduction::kSum, {}, 0, {4}, serial)[0], 4.f);
  });
}

template <class T>
void expect_arg(int64_t outer, int64_t n, int64_t inner) {
  auto x = random_values<T>(outer * n * inner, 9);
  for (T& v : x) v = static_cast<T>(static_cast<float>(static_cast<int>(static_cast<double>(v) * 8) % 8));  // ties
  UnevenParallel uneven;
  for (bool max : {true, false}) {
    std::vector<int64_t> wide_out(outer * inner);
    std::vector<int32_t> narrow(outer * inner);
    const auto& t = table().reduce;
    const ArgLoop loop = (max ? t.arg_max : t.arg_min)[static_cast<int>(dtype_of<T>)];
    run_arg(loop, dtype_of<T>, x.data(), outer, n, inner, DType::kInt64, wide_out.data(), uneven);
    run_arg(loop, dtype_of<T>, x.data(), outer, n, inner, DType::kInt32, narrow.data(), uneven);
    bool same = true;
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t i = 0; i < inner; ++i) {
        int64_t best = 0;
        const auto at = [&](int64_t k) { return static_cast<double>(x[(o * n + k) * inner + i]); };
        for (int64_t k = 1; k < n; ++k) {
          if (max ? at(k) > at(best) : at(k) < at(best)) best = k;
        }
        same &= wide_out[o * inner + i] == best && narrow[o * inner + i] == best;
      }
    }
    EXPECT(same);
  }
}

TINYTF_TEST(reduce_arg_first_of_equals) {
  for_each_isa([] {
    expect_arg<float>(5, 1, 1);
    expect_arg<float>(20, 10, 1);
    expect_arg<double>(3, 1000, 1);
    expect_arg<float>(2, 30, 300);
    expect_arg<int8_t>(4, 200, 7);
    expect_arg<uint16_t>(4, 200, 1);
    const std::vector<float> x = {NAN, 1, NAN, 3, 3, NAN};
    int64_t index = -1;
    SerialParallel serial;
    run_arg(table().reduce.arg_max[1], DType::kFloat, x.data(), 1, 6, 1, DType::kInt64, &index, serial);
    EXPECT_EQ(index, 3);
    const std::vector<float> columns = {NAN, 2, 1, NAN, 0, 5};  // [3, 2]
    int32_t pair[2];
    run_arg(table().reduce.arg_max[1], DType::kFloat, columns.data(), 1, 3, 2, DType::kInt32, pair, serial);
    EXPECT(pair[0] == 1 && pair[1] == 2);
  });
}

}  // namespace TINYTF_FILE
