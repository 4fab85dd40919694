#pragma once

#include "kernels/random.h"

namespace tinytf::kernels::TINYTF_ISA {

/// Adds the draws that need a search or a rejection loop per output: multinomial and gamma.
void fill_draws(RandomTable& table);

}  // namespace tinytf::kernels::TINYTF_ISA
