// Powers and the other binary functions of the math library.

#include "kernels/isa/elementwise_complex.h"
#include "kernels/isa/elementwise_fill.h"
#include "kernels/isa/elementwise_loops.h"
#include "kernels/isa/elementwise_math.h"
#include "kernels/isa/elementwise_power.h"
#include "kernels/isa/elementwise_special.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

struct Pow {
  static double run(double a, double b) { return __builtin_pow(without_denormal(a), b); }
  template <class R>
  static Cplx<R> run(Cplx<R> a, Cplx<R> b) {
    if (b == Cplx<R>{}) return {1, 0};
    if (a == Cplx<R>{} && b.re > 0) return {};
    return complex_pow(a, b);
  }
};

/// out = a^b for at most kFloatBlock floats, in three passes that vectorize; work on a scalar operand is done once.
template <Form kForm>
void power_block(const float* a, const float* b, float* out, int64_t n) {
  constexpr bool kOneBase = kForm == Form::kLeftScalar, kOneExponent = kForm == Form::kRightScalar;
  const float base = *a, exponent = *b;
  const double base_log = log2_positive(__builtin_fabsf(base)), bounded = bounded_exponent(exponent);
  const ExponentRule rule = exponent_rule(exponent);
  double logs[kFloatBlock];
  float powers[kFloatBlock];
  if constexpr (!kOneBase) {
    for (int64_t i = 0; i < n; ++i) logs[i] = log2_positive(__builtin_fabsf(a[i]));
  }
  for (int64_t i = 0; i < n; ++i) {
    const double factor = kOneExponent ? bounded : bounded_exponent(b[i]);
    powers[i] = exp2_rounded(factor * (kOneBase ? base_log : logs[i]));
  }
  TINYTF_IVDEP
  for (int64_t i = 0; i < n; ++i) {
    const float each_base = kOneBase ? base : a[i], each_exponent = kOneExponent ? exponent : b[i];
    const ExponentRule each_rule = kOneExponent ? rule : exponent_rule(each_exponent);
    out[i] = signed_power(each_base, each_exponent, each_rule, powers[i]);
  }
}

/// out = a^b for floats, and for types that are computed in float.
template <class T, Form kForm>
Fault power_run(const void* a, const void* b, void* out, int64_t n) {
  if (n == 0) return Fault::kNone;
  const auto* const bases = static_cast<const T*>(a);
  const auto* const exponents = static_cast<const T*>(b);
  auto* const results = static_cast<T*>(out);
  float left[kFloatBlock], right[kFloatBlock], powers[kFloatBlock];
  for (int64_t begin = 0; begin < n; begin += kFloatBlock) {
    const int64_t size = n - begin < kFloatBlock ? n - begin : kFloatBlock;
    const int64_t base_at = kForm == Form::kLeftScalar ? 0 : begin;
    const int64_t exponent_at = kForm == Form::kRightScalar ? 0 : begin;
    if constexpr (kViaFloat<T>) {
      load_floats(bases + base_at, left, kForm == Form::kLeftScalar ? 1 : size);
      load_floats(exponents + exponent_at, right, kForm == Form::kRightScalar ? 1 : size);
      power_block<kForm>(left, right, powers, size);
      store_floats(powers, results + begin, size);
    } else {
      power_block<kForm>(bases + base_at, exponents + exponent_at, results + begin, size);
    }
  }
  return Fault::kNone;
}

struct IntegerPow {  // Wraps.
  template <class T>
  static T run(T a, T b, Fault& fault) {
    if (b < 0) {
      fault = Fault::kNegativePower;
      return 0;
    }
    Wrap<T> result = 1;
    auto factor = static_cast<Wrap<T>>(a);
    for (auto exponent = static_cast<Wrap<T>>(b); exponent != 0; exponent >>= 1) {
      if (exponent & 1) result *= factor;
      factor *= factor;
    }
    return static_cast<T>(result);
  }
};

struct Atan2 {
  static float run(float y, float x) { return __builtin_atan2f(y, x); }
  static double run(double y, double x) { return __builtin_atan2(without_denormal(y), without_denormal(x)); }
};

struct NextAfter {
  static float run(float a, float b) { return __builtin_nextafterf(a, b); }
  static double run(double a, double b) { return __builtin_nextafter(a, b); }
};

struct Xlogy {  // 0 wherever x is 0.
  static float run(float x, float y) {
    const float product = x * log(y);
    return x == 0.0f ? 0.0f : product;
  }
  static double run(double x, double y) { return x == 0 ? 0 : x * __builtin_log(without_denormal(y)); }
  template <class R>
  static Cplx<R> run(Cplx<R> x, Cplx<R> y) {
    return x == Cplx<R>{} ? Cplx<R>{} : x * complex_log(y);
  }
};

struct HalfXlogy {  // The logarithm is rounded too: TensorFlow multiplies halves.
  static float run(float x, float y) { return x == 0.0f ? 0.0f : x * static_cast<float>(Half(log(y))); }
};

template <int n>
struct WholePower {
  template <class T>
  static T run(T x) {
    return whole_power<n>(x);
  }
};

template <int halves>
struct RootPower {
  template <class T>
  static T run(T x) {
    return root_power<halves>(x);
  }
};

using UnaryRun = void (*)(const void* x, void* y, int64_t n);

template <class Op, class T>
constexpr UnaryRun unary_run_of() {
  if constexpr (kViaFloat<T>) {
    return unary_via_float<Op, T>;
  } else {
    return unary_run<Op, T>;
  }
}

/// The loops of exponents from -kMostProducts to kMostProducts.
constexpr int kMostProducts = 8;
template <class T, int... i>
constexpr UnaryRun whole_power_run(int n, std::integer_sequence<int, i...>) {
  constexpr UnaryRun kRuns[] = {unary_run_of<WholePower<i - kMostProducts>, T>()...};
  return kRuns[n + kMostProducts];
}

/// The loop for an exponent that takes a few products or a root; else null.
template <class T, class Number>
UnaryRun run_of_exponent(Number exponent) {
  if (exponent == Number(0.5)) return unary_run_of<RootPower<1>, T>();
  if (exponent == Number(-0.5)) return unary_run_of<RootPower<-1>, T>();
  if (exponent == Number(1.5)) return unary_run_of<RootPower<3>, T>();
  if (!(exponent >= -kMostProducts && exponent <= kMostProducts)) return nullptr;
  const int n = static_cast<int>(exponent);
  if (static_cast<Number>(n) != exponent) return nullptr;
  return whole_power_run<T>(n, std::make_integer_sequence<int, 2 * kMostProducts + 1>());
}

/// Most programs use a single exponent, and mostly one of a few.
template <class T>
Fault pow_right_scalar(const void* a, const void* b, void* out, int64_t n) {
  if (n == 0) return Fault::kNone;
  std::conditional_t<kViaFloat<T>, float, T> exponent;
  if constexpr (kViaFloat<T>) {
    load_floats(static_cast<const T*>(b), &exponent, 1);
  } else {
    exponent = *static_cast<const T*>(b);
  }
  if (const UnaryRun run = run_of_exponent<T>(exponent)) {
    run(a, out, n);
    return Fault::kNone;
  }
  if constexpr (std::is_same_v<T, double>) {
    return binary_run<Pow, double, Form::kRightScalar>(a, b, out, n);
  } else {
    return power_run<T, Form::kRightScalar>(a, b, out, n);
  }
}

template <class T>
void add_power(ElementwiseTable& table, float cost) {
  BinaryLoop& loop = table.binary[static_cast<int>(Binary::kPow)][static_cast<int>(dtype_of<T>)];
  loop = {power_run<T, Form::kBoth>, power_run<T, Form::kLeftScalar>, pow_right_scalar<T>, cost, sizeof(T), sizeof(T)};
}

}  // namespace

void fill_binary_power(ElementwiseTable& table) {
  add_power<float>(table, 2);
  add_power<Half>(table, 2.5f);
  add_power<BFloat16>(table, 2.5f);
  add_binary<Pow, double>(table, Binary::kPow, 14);
  table.binary[static_cast<int>(Binary::kPow)][static_cast<int>(DType::kDouble)].right_scalar =
      pow_right_scalar<double>;
  add_binary<Pow, std::complex<float>, std::complex<double>>(table, Binary::kPow, 60);
  add_binary<IntegerPow, int32_t, int64_t>(table, Binary::kPow, 4);
  add_binary<Atan2, float, double>(table, Binary::kAtan2, 15);
  add_binary<NextAfter, float, double>(table, Binary::kNextAfter, 4);
  add_binary<HalfXlogy, Half>(table, Binary::kXlogy, 5);
  add_binary<Xlogy, float>(table, Binary::kXlogy, 0.5f);
  add_binary<Xlogy, double>(table, Binary::kXlogy, 5);
  add_binary<Xlogy, std::complex<float>, std::complex<double>>(table, Binary::kXlogy, 30);
}

}  // namespace tinytf::kernels::TINYTF_ISA
