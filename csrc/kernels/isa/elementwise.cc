#include "kernels/elementwise.h"

#include "kernels/isa/elementwise_fill.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill(ElementwiseTable& table) {
  fill_unary_arith(table);
  fill_unary_bits(table);
  fill_unary_float(table);
  fill_unary_trig(table);
  fill_unary_double(table);
  fill_unary_complex(table);
  fill_binary_arith(table);
  fill_binary_divide(table);
  fill_binary_compare(table);
  fill_binary_bits(table);
  fill_binary_power(table);
  fill_binary_gradients(table);
  fill_select(table);
  fill_add_n(table);
  fill_leaky_relu(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA
