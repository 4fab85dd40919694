// Max and Min. NaNs are propagated.

#include "kernels/isa/reduce_fill.h"
#include "kernels/isa/reduce_loops.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

/// The lowest (highest) value: an infinity if the type has one.
template <class T>
constexpr T bound(bool lowest) {
  if constexpr (std::is_same_v<T, float>) {
    return lowest ? -__builtin_inff() : __builtin_inff();
  } else if constexpr (std::is_same_v<T, double>) {
    return lowest ? -__builtin_inf() : __builtin_inf();
  } else if constexpr (std::is_signed_v<T>) {
    constexpr auto kHighest = static_cast<T>(static_cast<std::make_unsigned_t<T>>(-1) / 2);
    return lowest ? static_cast<T>(-kHighest - 1) : kHighest;
  } else {
    return lowest ? T{0} : static_cast<T>(-1);
  }
}

template <class T>
struct Max {
  using Acc = Number<T>;
  static Acc identity() { return bound<Acc>(true); }
  static Acc load(Acc x) { return x; }
  static Acc combine(Acc a, Acc b) {
    const Acc larger = a > b ? a : b;
    return a == a ? larger : a;
  }
  static Acc finish(Acc a, int64_t) { return a; }
};

template <class T>
struct Min {
  using Acc = Number<T>;
  static Acc identity() { return bound<Acc>(false); }
  static Acc load(Acc x) { return x; }
  static Acc combine(Acc a, Acc b) {
    const Acc smaller = a < b ? a : b;
    return a == a ? smaller : a;
  }
  static Acc finish(Acc a, int64_t) { return a; }
};

template <template <class> class Op>
void add(ReduceTable& table, Reduction reduction) {
  add_reduction<Op, BFloat16, Half, float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t>(table,
                                                                                                         reduction);
}

}  // namespace

void fill_reduce_extremes(ReduceTable& table) {
  add<Max>(table, Reduction::kMax);
  add<Min>(table, Reduction::kMin);
}

}  // namespace tinytf::kernels::TINYTF_ISA
