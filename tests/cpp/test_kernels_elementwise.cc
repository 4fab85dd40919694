#include "kernels/elementwise.h"

#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <vector>

#include "tests/cpp/harness.h"
#include "tests/cpp/kernel_fixture.h"

// Element-wise loops compared with the C library in double, and drivers compared with the definition of broadcasting.
namespace TINYTF_FILE {

using namespace tinytf;
using namespace tinytf::kernels;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

/// The distance from the true value in units of the last place of float.
double ulps(float result, double expected) {
  const float rounded = static_cast<float>(expected);
  if (std::isnan(rounded)) return std::isnan(result) ? 0 : kInfinity;
  if (result == rounded) return 0;
  if (std::isinf(rounded) || std::isinf(result)) return kInfinity;
  return std::abs(result - expected) / std::ldexp(1.0, std::max(std::ilogb(expected), -126) - 23);
}

/// Floats of every magnitude and sign, more of them near 1, and special values.
std::vector<float> all_kinds_of_floats() {
  std::vector<float> x = {0.f, -0.f, kInfinity, -kInfinity, kNotANumber, 1.f, -1.f, 88.72f, 88.73f, -103.9f, -104.f};
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 19997)
    x.push_back(detail::bits_as<float>(static_cast<uint32_t>(bits)));
  for (double v = -20; v < 20; v += 0.0031) x.push_back(static_cast<float>(v));
  return x;
}

void expect_accurate(Unary op, const char* name, double bound, const std::function<double(double)>& reference) {
  const std::vector<float> x = all_kinds_of_floats();
  std::vector<float> y(x.size());
  for_each_isa([&] {
    table().elementwise.unary_loop(op, DType::kFloat).run(x.data(), y.data(), static_cast<int64_t>(x.size()));
    double worst = 0;
    float where = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const double error = ulps(y[i], reference(x[i]));
      if (error > worst) worst = error, where = x[i];
    }
    if (worst > bound)
      testing::fail(__FILE__, __LINE__,
                    str_cat(name, "(", testing::show(where), "): ", testing::show(worst), " ulp at ", isa()));
  });
}

TINYTF_TEST(elementwise_float_functions_within_few_ulp) {
  expect_accurate(Unary::kExp, "exp", 2, [](double x) { return std::exp(x); });
  expect_accurate(Unary::kExpm1, "expm1", 2, [](double x) { return std::expm1(x); });
  expect_accurate(Unary::kLog, "log", 2, [](double x) { return std::log(x); });
  expect_accurate(Unary::kLog1p, "log1p", 2, [](double x) { return std::log1p(x); });
  expect_accurate(Unary::kTanh, "tanh", 2, [](double x) { return std::tanh(x); });
  expect_accurate(Unary::kSigmoid, "sigmoid", 2.5,
                  [](double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); });
  expect_accurate(Unary::kSoftplus, "softplus", 2,
                  [](double x) { return x < 0 ? std::log1p(std::exp(x)) : x + std::log1p(std::exp(-x)); });
  expect_accurate(Unary::kErf, "erf", 2.5, [](double x) { return std::erf(x); });
  expect_accurate(Unary::kErfc, "erfc", 4, [](double x) { return std::erfc(x); });
  expect_accurate(Unary::kSin, "sin", 2, [](double x) { return std::sin(x); });
  expect_accurate(Unary::kCos, "cos", 2, [](double x) { return std::cos(x); });
  expect_accurate(Unary::kRsqrt, "rsqrt", 2, [](double x) { return 1 / std::sqrt(x); });
  expect_accurate(Unary::kElu, "elu", 2, [](double x) { return x < 0 ? std::expm1(x) : x; });
}

template <class T>
std::vector<T> evaluate(Unary op, const std::vector<T>& x) {
  std::vector<T> y = x;
  SerialParallel serial;
  run_unary(table().elementwise.unary_loop(op, dtype_of<T>), y.data(), y.data(), static_cast<int64_t>(y.size()),
            serial);
  return y;
}

template <class T>
std::vector<T> evaluate(Binary op, std::vector<T> a, const std::vector<T>& b, Fault expected = Fault::kNone) {
  SerialParallel serial;
  EXPECT_EQ(run_binary(table().elementwise.binary_loop(op, dtype_of<T>), a.data(), b.data(), a.data(),
                       static_cast<int64_t>(a.size()), serial),
            expected);
  return a;
}

TINYTF_TEST(elementwise_rounding_and_signs) {
  for_each_isa([] {
    EXPECT(evaluate<float>(Unary::kRound, {0.5f, 1.5f, 2.5f, -0.5f, -1.5f}) == (std::vector<float>{0, 2, 2, -0.f, -2}));
    EXPECT(evaluate<float>(Unary::kFloor, {-0.5f, 1e30f}) == (std::vector<float>{-1, 1e30f}));
    EXPECT(evaluate<int32_t>(Unary::kSign, {-7, 0, 7}) == (std::vector<int32_t>{-1, 0, 1}));
    EXPECT(std::isnan(evaluate<float>(Unary::kSign, {kNotANumber})[0]));
    EXPECT(std::isnan(evaluate<float>(Unary::kRelu, {kNotANumber})[0]));
    EXPECT(evaluate<int8_t>(Unary::kAbs, {-128, -3}) == (std::vector<int8_t>{-128, 3}));
    EXPECT(evaluate<float>(Unary::kRelu6, {-1, 3, 9}) == (std::vector<float>{0, 3, 6}));
    EXPECT_NEAR(evaluate<double>(Unary::kDigamma, {0.5})[0], -1.9635100260214235, 1e-14);
    EXPECT_NEAR(evaluate<double>(Unary::kDigamma, {-1.5})[0], 0.7031566406452432, 1e-13);
    EXPECT_NEAR(evaluate<double>(Unary::kLgamma, {-1.5})[0], 0.8600470153764810, 1e-14);
  });
}

TINYTF_TEST(elementwise_integer_division_floors_and_faults) {
  for_each_isa([] {
    EXPECT(evaluate<int32_t>(Binary::kFloorDiv, {7, -7, 7, -7, INT32_MIN}, {2, 2, -2, -2, -1}) ==
           (std::vector<int32_t>{3, -4, -4, 3, INT32_MIN}));
    EXPECT(evaluate<int32_t>(Binary::kFloorMod, {7, -7, 7, -7, INT32_MIN}, {3, 3, -3, -3, -1}) ==
           (std::vector<int32_t>{1, 2, -2, -1, 0}));
    EXPECT(evaluate<int64_t>(Binary::kTruncateDiv, {7, -7}, {2, 2}) == (std::vector<int64_t>{3, -3}));
    EXPECT(evaluate<int8_t>(Binary::kFloorDiv, {-128, -7}, {-1, 2}) == (std::vector<int8_t>{-128, -4}));
    EXPECT(evaluate<float>(Binary::kFloorMod, {-7, 7, -7}, {3, -3, -3}) == (std::vector<float>{2, -2, -1}));
    evaluate<int32_t>(Binary::kFloorDiv, {1, 2}, {1, 0}, Fault::kDivisionByZero);
    evaluate<int64_t>(Binary::kFloorMod, {1, 2}, {0, 1}, Fault::kDivisionByZero);
    EXPECT(evaluate<int32_t>(Binary::kPow, {3, -2, 0}, {4, 3, 0}) == (std::vector<int32_t>{81, -8, 1}));
    evaluate<int32_t>(Binary::kPow, {3}, {-1}, Fault::kNegativePower);
  });
  EXPECT_EQ(std::string(fault_message(Fault::kDivisionByZero)), "Integer division by zero");
}

TINYTF_TEST(elementwise_special_values_of_binary_functions) {
  for_each_isa([] {
    for (Binary op : {Binary::kMaximum, Binary::kMinimum}) {
      EXPECT(std::isnan(evaluate<float>(op, {kNotANumber}, {1})[0]));
      EXPECT(std::isnan(evaluate<float>(op, {1}, {kNotANumber})[0]));
    }
    EXPECT_EQ(evaluate<float>(Binary::kDivNoNan, {3}, {0})[0], 0.f);
    EXPECT_EQ(evaluate<float>(Binary::kMulNoNan, {kInfinity}, {0})[0], 0.f);
    EXPECT_EQ(evaluate<float>(Binary::kXlogy, {0}, {0})[0], 0.f);
    EXPECT_EQ(evaluate<float>(Binary::kSqrtGrad, {0}, {0})[0], 0.f);
    EXPECT_EQ(evaluate<float>(Binary::kReluGrad, {5}, {0})[0], 0.f);
    EXPECT_EQ(evaluate<float>(Binary::kPow, {0}, {0})[0], 1.f);
    EXPECT_NEAR(evaluate<float>(Binary::kTanhGrad, {0.5f}, {2})[0], 1.5, 1e-6);
    EXPECT_NEAR(evaluate<float>(Binary::kRsqrtGrad, {0.5f}, {2})[0], -0.125, 1e-6);
    EXPECT(evaluate<int32_t>(Binary::kLeftShift, {1, 1, -1}, {4, 40, 0}) == (std::vector<int32_t>{16, INT32_MIN, -1}));
  });
}

/// Bases and exponents of every kind, including the special cases of C's pow.
void expect_powers(const std::vector<float>& bases, const std::vector<float>& exponents, double bound) {
  const BinaryLoop& loop = table().elementwise.binary_loop(Binary::kPow, DType::kFloat);
  const auto n = static_cast<int64_t>(bases.size());
  std::vector<float> out(bases.size()), repeated(bases.size());
  const auto check = [&](float base, float exponent, float result) {
    const double expected = std::pow(static_cast<double>(base), static_cast<double>(exponent));
    const bool right = ulps(result, expected) <= bound &&
                       (std::isnan(result) || std::signbit(result) == std::signbit(static_cast<float>(expected)));
    if (!right)
      testing::fail(__FILE__, __LINE__,
                    str_cat("pow(", testing::show(base), ", ", testing::show(exponent), ") = ", testing::show(result),
                            " at ", isa()));
  };
  for (const float exponent : exponents) {
    EXPECT(loop.right_scalar(bases.data(), &exponent, out.data(), n) == Fault::kNone);
    std::fill(repeated.begin(), repeated.end(), exponent);
    for (size_t i = 0; i < bases.size(); ++i) check(bases[i], exponent, out[i]);
    EXPECT(loop.both(bases.data(), repeated.data(), out.data(), n) == Fault::kNone);
    for (size_t i = 0; i < bases.size(); ++i) check(bases[i], exponent, out[i]);
    EXPECT(loop.left_scalar(&exponent, bases.data(), out.data(), n) == Fault::kNone);
    for (size_t i = 0; i < bases.size(); ++i) check(exponent, bases[i], out[i]);
  }
}

TINYTF_TEST(elementwise_powers_within_two_ulp) {
  std::vector<float> exponents = {0.f,   -0.f,    0.5f,        -0.5f,      1.5f,           -1.5f,
                                  2.5f,  0x1p24f, 0x1p24f - 1, -0x1p24f,   0x1p23f - 0.5f, 1e-30f,
                                  1e30f, -1e12f,  kInfinity,   -kInfinity, kNotANumber,    1e-45f};
  for (int n = -10; n <= 10; ++n) exponents.push_back(static_cast<float>(n));
  for_each_isa([&] {
    std::vector<float> bases = exponents;
    for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 1999993)
      bases.push_back(detail::bits_as<float>(static_cast<uint32_t>(bits)));
    for (double v = 0.9; v < 1.1; v += 0.0007) bases.push_back(static_cast<float>(v));
    expect_powers(bases, exponents, 2);
    expect_powers(bases, {3.f, 4.f, 2.7f, -3.3f}, 0.52);
  });
}

TINYTF_TEST(elementwise_powers_of_doubles) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> bases = {0.0, -0.0, 1, -1, inf, -inf, nan, 1e300, -1e300, 1e-300, 1e100, -1e-100, 0.1, -3};
  for (double v = -4; v < 4; v += 0.013) bases.push_back(v);
  for_each_isa([&] {
    for (double exponent : {-8., -7., -3., -2., -1., 0., 1., 2., 3., 4., 7., 8., 9., 0.5, -0.5, 1.5, 2.5, inf, nan}) {
      std::vector<double> out(bases.size());
      const BinaryLoop& loop = table().elementwise.binary_loop(Binary::kPow, DType::kDouble);
      EXPECT(loop.right_scalar(bases.data(), &exponent, out.data(), static_cast<int64_t>(bases.size())) ==
             Fault::kNone);
      for (size_t i = 0; i < bases.size(); ++i) {
        const double expected = std::pow(bases[i], exponent);
        if (std::isnan(expected) || std::isinf(expected) || expected == 0) {
          EXPECT(std::isnan(expected) ? std::isnan(out[i]) : out[i] == expected);
          EXPECT(std::isnan(expected) || std::signbit(out[i]) == std::signbit(expected));
        } else {
          EXPECT(std::abs(out[i] - expected) <= 4.5e-16 * std::abs(expected));
        }
      }
    }
  });
}

TINYTF_TEST(elementwise_powers_of_halves_are_rounded_once) {
  std::vector<Half> bases;
  for (int bits = 0; bits < 0x7C00; bits += 7) {
    bases.emplace_back();
    bases.back().bits = static_cast<uint16_t>(bits);
  }
  for_each_isa([&] {
    for (float exponent : {2.f, 3.f, 0.5f, -1.f, 2.5f}) {
      std::vector<Half> out(bases.size());
      const Half rounded(exponent);
      const BinaryLoop& loop = table().elementwise.binary_loop(Binary::kPow, DType::kHalf);
      loop.right_scalar(bases.data(), &rounded, out.data(), static_cast<int64_t>(bases.size()));
      for (size_t i = 0; i < bases.size(); ++i) {
        EXPECT_EQ(out[i].bits, Half(std::pow(static_cast<float>(bases[i]), exponent)).bits);
      }
    }
  });
}

TINYTF_TEST(elementwise_complex) {
  using C = std::complex<double>;
  const std::vector<C> x = {{0.3, -0.7}, {-1.2, 0.4}, {2, 3}};
  for_each_isa([&] {
    const auto near = [&](Unary op, auto reference) {
      const auto y = evaluate(op, x);
      for (size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(std::abs(y[i] - reference(x[i])), 0, 1e-14 * (1 + std::abs(y[i])));
    };
    near(Unary::kExp, [](C v) { return std::exp(v); });
    near(Unary::kLog, [](C v) { return std::log(v); });
    near(Unary::kLog1p, [](C v) { return std::log(1.0 + v); });
    near(Unary::kExpm1, [](C v) { return std::exp(v) - 1.0; });
    near(Unary::kTanh, [](C v) { return std::tanh(v); });
    near(Unary::kRsqrt, [](C v) { return 1.0 / std::sqrt(v); });
    near(Unary::kReciprocal, [](C v) { return 1.0 / v; });
    near(Unary::kConj, [](C v) { return std::conj(v); });
    const auto product = evaluate(Binary::kMul, x, evaluate(Unary::kConj, x));
    for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(product[i].real(), std::norm(x[i]), 1e-14);
  });
}

TINYTF_TEST(elementwise_half_rounds_once) {
  for_each_isa([] {
    std::vector<Half> a, b;
    for (int i = 0; i < 1000; ++i)
      a.push_back(Half(0.01f * static_cast<float>(i))), b.push_back(Half(3.7f - 0.02f * static_cast<float>(i)));
    const auto sum = evaluate(Binary::kAdd, a, b);
    const auto exps = evaluate(Unary::kExp, a);
    for (size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(sum[i].bits, Half(static_cast<float>(a[i]) + static_cast<float>(b[i])).bits);
      EXPECT_NEAR(static_cast<float>(exps[i]), std::exp(static_cast<float>(a[i])),
                  1e-3 * std::exp(static_cast<float>(a[i])));
    }
  });
}

using Shape = std::vector<int64_t>;

/// Sub (not commutative) on integers, by plan and by definition.
void expect_broadcast(const Shape& a_shape, const Shape& b_shape) {
  const ShapeRef refs[] = {{a_shape.data(), static_cast<int>(a_shape.size())},
                           {b_shape.data(), static_cast<int>(b_shape.size())}};
  BroadcastPlan plan;
  EXPECT(make_broadcast_plan(refs, 2, &plan) == BroadcastResult::kOk);
  const size_t rank = std::max(a_shape.size(), b_shape.size());
  const auto extent = [&](const Shape& s, size_t d) { return d + s.size() < rank ? 1 : s[d + s.size() - rank]; };
  const auto volume = [](const Shape& s) {
    int64_t n = 1;
    for (int64_t e : s) n *= e;
    return n;
  };
  Shape shape;
  for (size_t d = 0; d < rank; ++d) shape.push_back(extent(a_shape, d) == 1 ? extent(b_shape, d) : extent(a_shape, d));
  EXPECT_EQ(plan.size, volume(shape));
  const auto a = random_values<int32_t>(volume(a_shape), 1), b = random_values<int32_t>(volume(b_shape), 2);
  std::vector<int32_t> expected(plan.size), out(plan.size);
  for (int64_t i = 0; i < plan.size; ++i) {
    int64_t rest = i, in_a = 0, in_b = 0, step_a = 1, step_b = 1;
    for (size_t d = rank; d-- > 0; rest /= shape[d]) {
      const int64_t at = rest % shape[d];
      if (extent(a_shape, d) != 1) in_a += at * step_a;
      if (extent(b_shape, d) != 1) in_b += at * step_b;
      step_a *= extent(a_shape, d), step_b *= extent(b_shape, d);
    }
    expected[i] = static_cast<int32_t>(static_cast<uint32_t>(a[in_a]) - static_cast<uint32_t>(b[in_b]));
  }
  UnevenParallel uneven;
  BinaryLoop loop = table().elementwise.binary_loop(Binary::kSub, DType::kInt32);
  for (float cost : {loop.cost, 1e6f}) {  // in place, and split into ranges
    loop.cost = cost;
    std::fill(out.begin(), out.end(), 0);
    run_binary(loop, plan, a.data(), b.data(), out.data(), uneven);
    EXPECT(out == expected);
  }
}

TINYTF_TEST(elementwise_broadcast_shapes) {
  for_each_isa([] {
    expect_broadcast({}, {});
    expect_broadcast({5}, {});
    expect_broadcast({}, {7, 3});
    expect_broadcast({1, 1}, {1});
    expect_broadcast({4, 3}, {4, 3});
    expect_broadcast({1000, 3}, {3});
    expect_broadcast({3}, {1000, 3});
    expect_broadcast({1000, 3}, {1000, 1});
    expect_broadcast({1000, 1}, {1, 5});
    expect_broadcast({50, 200}, {200});
    expect_broadcast({50, 200}, {50, 1});
    expect_broadcast({7, 3000}, {3000});
    expect_broadcast({7, 1}, {1, 3000});
    expect_broadcast({2, 3, 4, 5}, {3, 1, 5});
    expect_broadcast({2, 1, 4, 1, 3}, {1, 5, 1, 6, 3});
    expect_broadcast({2, 1, 2, 1, 2, 1, 2, 1}, {1, 2, 1, 2, 1, 2, 1, 2});
    expect_broadcast({0, 3}, {3});
    expect_broadcast({0}, {1});
  });
}

TINYTF_TEST(elementwise_broadcast_refuses) {
  const int64_t three[] = {3}, four[] = {4};
  const ShapeRef refs[] = {{three, 1}, {four, 1}};
  BroadcastPlan plan;
  EXPECT(make_broadcast_plan(refs, 2, &plan) == BroadcastResult::kIncompatible);
  const Shape even = {1, 2, 1, 2, 1, 2, 1, 2, 1}, odd = {2, 1, 2, 1, 2, 1, 2, 1, 2};
  const ShapeRef many[] = {{even.data(), 9}, {odd.data(), 9}};
  EXPECT(make_broadcast_plan(many, 2, &plan) == BroadcastResult::kTooManyDimensions);
}

/// SelectV2 on shapes [rows, cols], any dimension of which may be 1.
void expect_select(Shape cond_shape, Shape a_shape, Shape b_shape) {
  const ShapeRef refs[] = {{cond_shape.data(), 2}, {a_shape.data(), 2}, {b_shape.data(), 2}};
  BroadcastPlan plan;
  EXPECT(make_broadcast_plan(refs, 3, &plan) == BroadcastResult::kOk);
  const int64_t rows = std::max({cond_shape[0], a_shape[0], b_shape[0]}),
                cols = std::max({cond_shape[1], a_shape[1], b_shape[1]});
  const auto at = [](const Shape& s, int64_t i, int64_t j) { return (s[0] == 1 ? 0 : i) * s[1] + (s[1] == 1 ? 0 : j); };
  const auto a = random_values<int64_t>(a_shape[0] * a_shape[1], 3),
             b = random_values<int64_t>(b_shape[0] * b_shape[1], 4);
  std::vector<char> cond(cond_shape[0] * cond_shape[1]);
  for (size_t i = 0; i < cond.size(); ++i) cond[i] = i * 7 % 3 == 0;
  std::vector<int64_t> out(rows * cols);
  UnevenParallel uneven;
  run_select(table().elementwise, 8, plan, reinterpret_cast<const bool*>(cond.data()), a.data(), b.data(), out.data(),
             uneven);
  bool same = true;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j)
      same &= out[i * cols + j] == (cond[at(cond_shape, i, j)] ? a[at(a_shape, i, j)] : b[at(b_shape, i, j)]);
  }
  EXPECT(same);
}

TINYTF_TEST(elementwise_select_broadcasts) {
  for_each_isa([] {
    for (int64_t cols : {1, 3, 100, 3000}) {
      expect_select({40, cols}, {40, cols}, {40, cols});
      expect_select({1, 1}, {40, cols}, {40, cols});
      expect_select({40, 1}, {40, cols}, {1, cols});
      expect_select({1, cols}, {40, 1}, {1, 1});
    }
  });
}

TINYTF_TEST(elementwise_add_n_in_place) {
  for_each_isa([] {
    std::vector<std::vector<double>> inputs;
    std::vector<const void*> pointers;
    for (uint64_t k = 0; k < 30; ++k) inputs.push_back(random_values<double>(3000, k));
    std::vector<double> expected(3000);
    for (const auto& input : inputs) {
      for (size_t i = 0; i < input.size(); ++i) expected[i] += input[i];
    }
    for (const auto& input : inputs) pointers.push_back(input.data());
    UnevenParallel uneven;
    run_add_n(table().elementwise, DType::kDouble, pointers.data(), 30, inputs[17].data(), 3000, uneven);
    EXPECT(inputs[17] == expected);
  });
}

}  // namespace TINYTF_FILE
