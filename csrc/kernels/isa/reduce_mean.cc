// Means: sums and one division at the end; integers sum in 64 bits and divide toward zero.

#include "kernels/isa/reduce_fill.h"
#include "kernels/isa/reduce_loops.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

template <class T>
struct Mean {
  using Acc =
      std::conditional_t<std::is_integral_v<T>, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>, Number<T>>;
  static Acc identity() { return Acc{}; }
  template <class X>
  static Acc load(X x) {
    return static_cast<Acc>(x);
  }
  static Acc combine(Acc a, Acc b) {
    if constexpr (std::is_integral_v<Acc>) {
      return static_cast<Acc>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
    } else {
      return a + b;
    }
  }
  static Number<T> finish(Acc a, int64_t count) {
    if constexpr (kIsCplx<T>) {
      using R = decltype(a.re);
      return {a.re / static_cast<R>(count), a.im / static_cast<R>(count)};
    } else if constexpr (std::is_integral_v<T>) {
      return count == 0 ? T{0} : static_cast<T>(a / static_cast<Acc>(count));
    } else {
      return a / static_cast<Acc>(count);
    }
  }
};

}  // namespace

void fill_reduce_mean(ReduceTable& table) {
  add_reduction<Mean, BFloat16, Half, float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t,
                std::complex<float>, std::complex<double>>(table, Reduction::kMean);
}

}  // namespace tinytf::kernels::TINYTF_ISA
