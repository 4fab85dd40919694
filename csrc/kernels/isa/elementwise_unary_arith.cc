// Unary functions that cost one or a few instructions, for all numeric types.

#include "kernels/isa/elementwise_fill.h"
#include "kernels/isa/elementwise_loops.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

struct Abs {
  static float run(float x) { return __builtin_fabsf(x); }
  static double run(double x) { return __builtin_fabs(x); }
  template <class T>
  static T run(T x) {
    return x < 0 ? static_cast<T>(Wrap<T>{0} - static_cast<Wrap<T>>(x)) : x;
  }
};

struct Neg {
  template <class T>
  static T run(T x) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(Wrap<T>{0} - static_cast<Wrap<T>>(x));
    } else {
      return -x;
    }
  }
};

struct Sign {
  template <class T>
  static T run(T x) {
    const T sign = static_cast<T>(static_cast<T>(x > T{0}) - static_cast<T>(x < T{0}));
    return x == x ? sign : x;
  }
};

struct Square {
  template <class T>
  static T run(T x) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<Wrap<T>>(x) * static_cast<Wrap<T>>(x));
    } else {
      return x * x;
    }
  }
};

struct Reciprocal {
  template <class T>
  static T run(T x) {
    if constexpr (kIsCplx<T>) {
      return T{1, 0} / x;
    } else {
      return T{1} / x;
    }
  }
};

struct Relu {
  template <class T>
  static T run(T x) {
    return x <= T{0} ? T{0} : x;  // NaN is propagated; denormal numbers, which equal 0 here, are not.
  }
};

struct Relu6 {
  template <class T>
  static T run(T x) {
    const T low = x <= T{0} ? T{0} : x;
    return low > T{6} ? T{6} : low;
  }
};

struct Softsign {
  static float run(float x) { return x / (1.0f + __builtin_fabsf(x)); }
  static double run(double x) { return x / (1.0 + __builtin_fabs(x)); }
};

struct Floor {
  static float run(float x) { return __builtin_floorf(x); }
  static double run(double x) { return __builtin_floor(x); }
};

struct Ceil {
  static float run(float x) { return __builtin_ceilf(x); }
  static double run(double x) { return __builtin_ceil(x); }
};

struct Rint {  // Half to even, as TensorFlow's Round does too.
  static float run(float x) { return __builtin_rintf(x); }
  static double run(double x) { return __builtin_rint(x); }
};

struct Identity {
  template <class T>
  static T run(T x) {
    return x;
  }
};

struct Sqrt {
  static float run(float x) { return __builtin_sqrtf(x); }
  static double run(double x) { return __builtin_sqrt(x); }
};

struct Rsqrt {
  static float run(float x) { return 1.0f / __builtin_sqrtf(x); }
  static double run(double x) { return 1.0 / __builtin_sqrt(x); }
};

using Complex64 = std::complex<float>;
using Complex128 = std::complex<double>;

}  // namespace

void fill_unary_arith(ElementwiseTable& table) {
  constexpr float kCheap = 0.2f, kRoot = 0.8f;
  add_unary<Abs, BFloat16, Half, float, double, int8_t, int16_t, int32_t, int64_t>(table, Unary::kAbs, kCheap);
  add_unary<Neg, BFloat16, Half, float, double, int8_t, int16_t, int32_t, int64_t, Complex64, Complex128>(
      table, Unary::kNeg, kCheap);
  add_unary<Sign, BFloat16, Half, float, double, int32_t, int64_t>(table, Unary::kSign, kCheap);
  add_unary<Square, BFloat16, Half, float, double, int32_t, int64_t, Complex64, Complex128>(table, Unary::kSquare,
                                                                                            kCheap);
  add_unary<Reciprocal, BFloat16, Half, float, double, Complex64, Complex128>(table, Unary::kReciprocal, kRoot);
  add_unary<Relu, BFloat16, Half, float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t>(
      table, Unary::kRelu, kCheap);
  add_unary<Relu6, BFloat16, Half, float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t>(
      table, Unary::kRelu6, kCheap);
  add_unary<Softsign, BFloat16, Half, float, double>(table, Unary::kSoftsign, kRoot);
  add_unary<Floor, BFloat16, Half, float, double>(table, Unary::kFloor, kCheap);
  add_unary<Ceil, BFloat16, Half, float, double>(table, Unary::kCeil, kCheap);
  add_unary<Rint, BFloat16, Half, float, double>(table, Unary::kRint, kCheap);
  add_unary<Rint, BFloat16, Half, float, double>(table, Unary::kRound, kCheap);
  add_unary<Identity, int32_t, int64_t>(table, Unary::kRound, kCheap);
  add_unary<Sqrt, BFloat16, Half, float, double>(table, Unary::kSqrt, kRoot);
  add_unary<Rsqrt, BFloat16, Half, float, double>(table, Unary::kRsqrt, kRoot);
}

}  // namespace tinytf::kernels::TINYTF_ISA
