#pragma once

#include "kernels/elementwise.h"

// Each elementwise file fills its part of the table.

namespace tinytf::kernels::TINYTF_ISA {

void fill_unary_arith(ElementwiseTable& table);
void fill_unary_bits(ElementwiseTable& table);
void fill_unary_float(ElementwiseTable& table);
void fill_unary_trig(ElementwiseTable& table);
void fill_unary_double(ElementwiseTable& table);
void fill_unary_complex(ElementwiseTable& table);
void fill_binary_arith(ElementwiseTable& table);
void fill_binary_divide(ElementwiseTable& table);
void fill_binary_compare(ElementwiseTable& table);
void fill_binary_bits(ElementwiseTable& table);
void fill_binary_power(ElementwiseTable& table);
void fill_binary_gradients(ElementwiseTable& table);
void fill_select(ElementwiseTable& table);
void fill_add_n(ElementwiseTable& table);
void fill_leaky_relu(ElementwiseTable& table);

}  // namespace tinytf::kernels::TINYTF_ISA
