// Powers and the other binary functions of the math library.

#include "kernels/isa/elementwise_complex.h"
#include "kernels/isa/elementwise_fill.h"
#include "kernels/isa/elementwise_loops.h"
#include "kernels/isa/elementwise_math.h"
#include "kernels/isa/elementwise_special.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

struct Pow {
  static float run(float a, float b) { return __builtin_powf(a, b); }
  static double run(double a, double b) { return __builtin_pow(without_denormal(a), b); }
  template <class R>
  static Cplx<R> run(Cplx<R> a, Cplx<R> b) {
    if (b == Cplx<R>{}) return {1, 0};
    if (a == Cplx<R>{} && b.re > 0) return {};
    return complex_pow(a, b);
  }
};

struct IntegerPow {  // wraps
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

struct Xlogy {  // 0 wherever x is 0
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

struct HalfXlogy {  // the logarithm is rounded, too: TensorFlow multiplies halves
  static float run(float x, float y) { return x == 0.0f ? 0.0f : x * static_cast<float>(Half(log(y))); }
};

/// x ** 2 is what most programs raise to.
template <class T>
Fault pow_right_scalar(const void* a, const void* b, void* out, int64_t n) {
  const T exponent = *static_cast<const T*>(b);
  if (exponent != T{2}) return binary_run<Pow, T, Form::kRightScalar>(a, b, out, n);
  const auto* in = static_cast<const T*>(a);
  auto* result = static_cast<T*>(out);
  TINYTF_IVDEP
  for (int64_t i = 0; i < n; ++i) result[i] = in[i] * in[i];
  return Fault::kNone;
}

template <class T>
void specialise_squares(ElementwiseTable& table) {
  table.binary[static_cast<int>(Binary::kPow)][static_cast<int>(dtype_of<T>)].right_scalar = pow_right_scalar<T>;
}

}  // namespace

void fill_binary_power(ElementwiseTable& table) {
  add_binary<Pow, BFloat16, Half, float, double>(table, Binary::kPow, 8);
  specialise_squares<float>(table);
  specialise_squares<double>(table);
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
