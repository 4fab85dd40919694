// Unary functions on bits, and predicates that return bool.

#include "kernels/isa/elementwise_fill.h"
#include "kernels/isa/elementwise_loops.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

struct LogicalNot {
  static uint8_t run(uint8_t x) { return x ^ 1; }
};

struct Invert {
  template <class T>
  static T run(T x) {
    return static_cast<T>(~x);
  }
};

struct PopulationCount {
  template <class T>
  static uint8_t run(T x) {
    return static_cast<uint8_t>(__builtin_popcountll(static_cast<std::make_unsigned_t<T>>(x)));
  }
};

struct IsNan {
  template <class T>
  static uint8_t run(T x) {
    return x != x;
  }
};

struct IsInf {
  static uint8_t run(float x) { return __builtin_fabsf(x) == __builtin_inff(); }
  static uint8_t run(double x) { return __builtin_fabs(x) == __builtin_inf(); }
};

struct IsFinite {
  static uint8_t run(float x) { return __builtin_fabsf(x) < __builtin_inff(); }
  static uint8_t run(double x) { return __builtin_fabs(x) < __builtin_inf(); }
};

}  // namespace

void fill_unary_bits(ElementwiseTable& table) {
  constexpr float kCheap = 0.2f;
  add_unary<LogicalNot, bool>(table, Unary::kLogicalNot, 0.05f);
  add_unary<Invert, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>(table, Unary::kInvert,
                                                                                              kCheap);
  add_unary<PopulationCount, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>(
      table, Unary::kPopulationCount, 1.0f);
  add_unary<IsNan, BFloat16, Half, float, double>(table, Unary::kIsNan, kCheap);
  add_unary<IsInf, BFloat16, Half, float, double>(table, Unary::kIsInf, kCheap);
  add_unary<IsFinite, BFloat16, Half, float, double>(table, Unary::kIsFinite, kCheap);
}

}  // namespace tinytf::kernels::TINYTF_ISA
