#include "kernels/softmax.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill(SoftmaxTable&) {}

}  // namespace tinytf::kernels::TINYTF_ISA
