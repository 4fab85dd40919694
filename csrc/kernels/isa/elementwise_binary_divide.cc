// Quotients and remainders.

#include "kernels/isa/elementwise_fill.h"
#include "kernels/isa/elementwise_loops.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

float fmod_of(float a, float b) { return __builtin_fmodf(a, b); }
double fmod_of(double a, double b) { return __builtin_fmod(a, b); }
float floor_of(float x) { return __builtin_floorf(x); }
double floor_of(double x) { return __builtin_floor(x); }

/// a / b toward zero. The lowest integer divided by -1 wraps to itself; division by 0 is the fault.
template <class T>
T quotient(T a, T b, Fault& fault) {
  if (b == 0) {
    fault = Fault::kDivisionByZero;
    return 0;
  }
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return static_cast<T>(Wrap<T>{0} - static_cast<Wrap<T>>(a));
  }
  return static_cast<T>(a / b);
}

template <class T>
T remainder(T a, T b, Fault& fault) {
  if (b == 0) {
    fault = Fault::kDivisionByZero;
    return 0;
  }
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return static_cast<T>(a % b);
}

struct RealDiv {
  template <class T>
  static T run(T a, T b) {
    return a / b;
  }
};

struct DivNoNan {
  template <class T>
  static T run(T a, T b) {
    if constexpr (kIsCplx<T>) {
      return b == T{} ? T{} : a / b;
    } else {
      const T q = a / b;
      return b == T{} ? T{} : q;
    }
  }
};

struct Xdivy {
  template <class T>
  static T run(T a, T b) {
    return a == T{} ? T{} : a / b;
  }
};

struct TruncateDiv {
  template <class T>
  static T run(T a, T b, Fault& fault) {
    return quotient(a, b, fault);
  }
};

struct TruncateMod {
  template <class T>
  static T run(T a, T b, Fault& fault) {
    return remainder(a, b, fault);
  }
};

struct Fmod {
  template <class T>
  static T run(T a, T b) {
    return fmod_of(a, b);
  }
};

struct FloorDiv {
  template <class T>
  static T run(T a, T b, Fault& fault) {
    const T q = quotient(a, b, fault);
    if constexpr (std::is_signed_v<T>) {
      const bool negative = (a < 0) != (b < 0);
      if (negative && b != 0 && b != -1 && static_cast<T>(q * b) != a) return static_cast<T>(q - 1);
    }
    return q;
  }
};

struct FloorDivReal {
  template <class T>
  static T run(T a, T b) {
    return floor_of(a / b);
  }
};

struct FloorMod {  // The remainder with b's sign.
  template <class T>
  static T run(T a, T b, Fault& fault) {
    const T r = remainder(a, b, fault);
    if constexpr (std::is_signed_v<T>) {
      if (r != 0 && (r < 0) != (b < 0)) return static_cast<T>(r + b);
    }
    return r;
  }
};

struct FloorModReal {
  template <class T>
  static T run(T a, T b) {
    const T r = fmod_of(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
  }
};

using Complex64 = std::complex<float>;
using Complex128 = std::complex<double>;

}  // namespace

void fill_binary_divide(ElementwiseTable& table) {
  constexpr float kReal = 0.5f, kInteger = 2.0f, kLibrary = 8.0f;
  add_binary<RealDiv, BFloat16, Half, float, double, Complex64, Complex128>(table, Binary::kRealDiv, kReal);
  add_binary<DivNoNan, Half, float, double, Complex64, Complex128>(table, Binary::kDivNoNan, kReal);
  add_binary<Xdivy, Half, float, double, Complex64, Complex128>(table, Binary::kXdivy, kReal);
  add_binary<TruncateDiv, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t>(table, Binary::kTruncateDiv, kInteger);
  add_binary<TruncateMod, int32_t, int64_t>(table, Binary::kTruncateMod, kInteger);
  add_binary<Fmod, BFloat16, Half, float, double>(table, Binary::kTruncateMod, kLibrary);
  add_binary<FloorDiv, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t>(table, Binary::kFloorDiv, kInteger);
  add_binary<FloorDivReal, BFloat16, Half, float, double>(table, Binary::kFloorDiv, kReal);
  add_binary<FloorMod, int32_t, int64_t>(table, Binary::kFloorMod, kInteger);
  add_binary<FloorModReal, BFloat16, Half, float, double>(table, Binary::kFloorMod, kLibrary);
}

}  // namespace tinytf::kernels::TINYTF_ISA
