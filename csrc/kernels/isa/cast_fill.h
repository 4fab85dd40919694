#pragma once

#include "kernels/cast.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill_cast_integers(CastTable& table);
void fill_cast_reals(CastTable& table);
void fill_cast_through(CastTable& table);
void fill_cast_truncate(CastTable& table);

}  // namespace tinytf::kernels::TINYTF_ISA
