#pragma once

#include "kernels/reduce.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill_reduce_sum(ReduceTable& table);
void fill_reduce_mean(ReduceTable& table);
void fill_reduce_prod(ReduceTable& table);
void fill_reduce_extremes(ReduceTable& table);
void fill_reduce_bools(ReduceTable& table);
void fill_reduce_norms(ReduceTable& table);
void fill_reduce_arg(ReduceTable& table);

}  // namespace tinytf::kernels::TINYTF_ISA
