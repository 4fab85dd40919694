#include "kernels/cast.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill(CastTable&) {}

}  // namespace tinytf::kernels::TINYTF_ISA
