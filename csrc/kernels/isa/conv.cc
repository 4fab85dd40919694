#include "kernels/conv.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill(ConvTable&) {}

}  // namespace tinytf::kernels::TINYTF_ISA
