#include "kernels/reduce.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill(ReduceTable&) {}

}  // namespace tinytf::kernels::TINYTF_ISA
