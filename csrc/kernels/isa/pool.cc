#include "kernels/pool.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill(PoolTable&) {}

}  // namespace tinytf::kernels::TINYTF_ISA
