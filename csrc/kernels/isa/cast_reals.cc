// Casts from float and double to arithmetic types.

#include "kernels/isa/cast_fill.h"
#include "kernels/isa/cast_loops.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

template <class From, class... To>
void add(CastTable& table) {
  ((table.loops[static_cast<int>(dtype_of<From>)][static_cast<int>(dtype_of<To>)] = cast_run<From, To>), ...);
}

}  // namespace

void fill_cast_reals(CastTable& table) {
  add<float, bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, float, double>(table);
  add<double, bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, float, double>(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA
