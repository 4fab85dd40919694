#include "kernels/isa/reduce_fill.h"
#include "kernels/isa/reduce_loops.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

template <class T>
struct Sum {
  using Acc = Number<T>;
  static Acc identity() { return Acc{}; }
  static Acc load(Acc x) { return x; }
  static Acc combine(Acc a, Acc b) {
    if constexpr (std::is_integral_v<Acc>) {
      return static_cast<Acc>(static_cast<Wrap<Acc>>(a) + static_cast<Wrap<Acc>>(b));
    } else {
      return a + b;
    }
  }
  static Acc finish(Acc a, int64_t) { return a; }
};

}  // namespace

void fill_reduce_sum(ReduceTable& table) {
  add_reduction<Sum, BFloat16, Half, float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t,
                std::complex<float>, std::complex<double>>(table, Reduction::kSum);
}

}  // namespace tinytf::kernels::TINYTF_ISA
