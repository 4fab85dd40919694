#include "kernels/reduce.h"

#include "kernels/isa/reduce_fill.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill(ReduceTable& table) {
  fill_reduce_sum(table);
  fill_reduce_mean(table);
  fill_reduce_prod(table);
  fill_reduce_extremes(table);
  fill_reduce_bools(table);
  fill_reduce_norms(table);
  fill_reduce_arg(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA
