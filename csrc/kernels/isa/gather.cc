#include "kernels/gather.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill(GatherTable&) {}

}  // namespace tinytf::kernels::TINYTF_ISA
