#include "kernels/cast.h"

#include "kernels/isa/cast_fill.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill(CastTable& table) {
  fill_cast_integers(table);
  fill_cast_reals(table);
  fill_cast_through(table);
  fill_cast_truncate(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA
