// Comparisons, and logic of bools. NaN equals nothing.

#include "kernels/isa/elementwise_fill.h"
#include "kernels/isa/elementwise_loops.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

#define TINYTF_COMPARISON(Name, op) \
  struct Name {                     \
    template <class T>              \
    static uint8_t run(T a, T b) {  \
      return a op b;                \
    }                               \
  };
TINYTF_COMPARISON(Equal, ==)
TINYTF_COMPARISON(NotEqual, !=)
TINYTF_COMPARISON(Less, <)
TINYTF_COMPARISON(LessEqual, <=)
TINYTF_COMPARISON(Greater, >)
TINYTF_COMPARISON(GreaterEqual, >=)
TINYTF_COMPARISON(LogicalAnd, &)
TINYTF_COMPARISON(LogicalOr, |)
#undef TINYTF_COMPARISON

template <class Op>
void add_equality(ElementwiseTable& table, Binary op) {
  add_binary<Op, BFloat16, bool, std::complex<float>, std::complex<double>, Half, float, double, int8_t, int16_t,
             int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>(table, op, 0.2f);
}

template <class Op>
void add_order(ElementwiseTable& table, Binary op) {
  add_binary<Op, BFloat16, Half, float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t,
             uint64_t>(table, op, 0.2f);
}

}  // namespace

void fill_binary_compare(ElementwiseTable& table) {
  add_equality<Equal>(table, Binary::kEqual);
  add_equality<NotEqual>(table, Binary::kNotEqual);
  add_order<Less>(table, Binary::kLess);
  add_order<LessEqual>(table, Binary::kLessEqual);
  add_order<Greater>(table, Binary::kGreater);
  add_order<GreaterEqual>(table, Binary::kGreaterEqual);
  add_binary<LogicalAnd, bool>(table, Binary::kLogicalAnd, 0.05f);
  add_binary<LogicalOr, bool>(table, Binary::kLogicalOr, 0.05f);
}

}  // namespace tinytf::kernels::TINYTF_ISA
