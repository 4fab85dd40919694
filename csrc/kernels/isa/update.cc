#include "kernels/update.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill(UpdateTable&) {}

}  // namespace tinytf::kernels::TINYTF_ISA
