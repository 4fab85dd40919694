// Sums, products, extremes: one or a few instructions each.

#include "kernels/isa/elementwise_fill.h"
#include "kernels/isa/elementwise_loops.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

struct Add {
  template <class T>
  static T run(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<Wrap<T>>(a) + static_cast<Wrap<T>>(b));
    } else {
      return a + b;
    }
  }
};

struct Sub {
  template <class T>
  static T run(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<Wrap<T>>(a) - static_cast<Wrap<T>>(b));
    } else {
      return a - b;
    }
  }
};

struct Mul {
  template <class T>
  static T run(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<Wrap<T>>(a) * static_cast<Wrap<T>>(b));
    } else {
      return a * b;
    }
  }
};

struct MulNoNan {  // 0 wherever b is 0, even if a is infinite or NaN.
  template <class T>
  static T run(T a, T b) {
    return b == T{} ? T{} : Mul::run(a, b);
  }
};

struct SquaredDifference {
  template <class T>
  static T run(T a, T b) {
    const T d = Sub::run(a, b);
    if constexpr (kIsCplx<T>) {
      return T{d.re, -d.im} * d;
    } else {
      return Mul::run(d, d);
    }
  }
};

struct Maximum {  // NaN if either operand is.
  template <class T>
  static T run(T a, T b) {
    const T larger = a > b ? a : b;  // b if unordered.
    return a == a ? larger : a;
  }
};

struct Minimum {
  template <class T>
  static T run(T a, T b) {
    const T smaller = a < b ? a : b;
    return a == a ? smaller : a;
  }
};

struct Complex {
  template <class R>
  static Cplx<R> run(R re, R im) {
    return {re, im};
  }
};

using Complex64 = std::complex<float>;
using Complex128 = std::complex<double>;

}  // namespace

void fill_binary_arith(ElementwiseTable& table) {
  constexpr float kCheap = 0.3f;
  add_binary<Add, BFloat16, Half, float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t,
             uint64_t, Complex64, Complex128>(table, Binary::kAdd, kCheap);
  add_binary<Sub, BFloat16, Half, float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t,
             uint64_t, Complex64, Complex128>(table, Binary::kSub, kCheap);
  add_binary<Mul, BFloat16, Half, float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t,
             uint64_t, Complex64, Complex128>(table, Binary::kMul, kCheap);
  add_binary<MulNoNan, Half, float, double, Complex64, Complex128>(table, Binary::kMulNoNan, kCheap);
  add_binary<SquaredDifference, BFloat16, Half, float, double, int32_t, int64_t, Complex64, Complex128>(
      table, Binary::kSquaredDifference, kCheap);
  add_binary<Maximum, BFloat16, Half, float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t>(
      table, Binary::kMaximum, kCheap);
  add_binary<Minimum, BFloat16, Half, float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t>(
      table, Binary::kMinimum, kCheap);
  add_binary<Complex, float, double>(table, Binary::kComplex, kCheap);
}

}  // namespace tinytf::kernels::TINYTF_ISA
