// Sums of squares: EuclideanNorm and L2Loss.

#include "kernels/isa/reduce_fill.h"
#include "kernels/isa/reduce_loops.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

float sqrt_of(float x) { return __builtin_sqrtf(x); }
double sqrt_of(double x) { return __builtin_sqrt(x); }

template <class T>
struct PartOf {
  using type = T;
};
template <class R>
struct PartOf<Cplx<R>> {
  using type = R;
};

template <class T>
struct EuclideanNorm {
  using Acc = std::conditional_t<std::is_integral_v<T>, double, typename PartOf<Number<T>>::type>;
  static Acc identity() { return 0; }
  template <class X>
  static Acc load(X x) {
    if constexpr (kIsCplx<X>) {
      return x.re * x.re + x.im * x.im;
    } else {
      return static_cast<Acc>(x) * static_cast<Acc>(x);
    }
  }
  static Acc combine(Acc a, Acc b) { return a + b; }
  static Number<T> finish(Acc a, int64_t) {
    if constexpr (kIsCplx<T>) {
      return {sqrt_of(a), 0};
    } else {
      return static_cast<Number<T>>(sqrt_of(a));
    }
  }
};

template <class T>
struct L2Loss {
  using Acc = Number<T>;
  static Acc identity() { return 0; }
  static Acc load(Acc x) { return x * x; }
  static Acc combine(Acc a, Acc b) { return a + b; }
  static Acc finish(Acc a, int64_t) { return a / 2; }
};

}  // namespace

void fill_reduce_norms(ReduceTable& table) {
  add_reduction<EuclideanNorm, BFloat16, Half, float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t,
                std::complex<float>, std::complex<double>>(table, Reduction::kEuclideanNorm);
  add_reduction<L2Loss, BFloat16, Half, float, double>(table, Reduction::kL2Loss);
}

}  // namespace tinytf::kernels::TINYTF_ISA
