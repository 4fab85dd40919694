#include "kernels/random.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill(RandomTable&) {}

}  // namespace tinytf::kernels::TINYTF_ISA
