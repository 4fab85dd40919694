#include "kernels/gemm.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill(GemmTable&) {}

}  // namespace tinytf::kernels::TINYTF_ISA
