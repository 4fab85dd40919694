#pragma once

#include "kernels/softmax.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill_cross_entropy(SoftmaxTable& table);

}  // namespace tinytf::kernels::TINYTF_ISA
