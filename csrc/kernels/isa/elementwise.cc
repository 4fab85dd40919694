#include "kernels/elementwise.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill(ElementwiseTable&) {}

}  // namespace tinytf::kernels::TINYTF_ISA
