#include "kernels/copy.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill(CopyTable&) {}

}  // namespace tinytf::kernels::TINYTF_ISA
