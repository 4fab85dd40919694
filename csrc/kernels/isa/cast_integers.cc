// Casts from bool and the integers to arithmetic types. Signed and unsigned sources of one size differ only if the
// destination is wider, so integer destinations no wider than the source share one loop.

#include "kernels/isa/cast_fill.h"
#include "kernels/isa/cast_loops.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

template <class From, class To>
constexpr CastLoop loop() {
  if constexpr (std::is_integral_v<To> && !std::is_same_v<To, bool> && sizeof(To) <= sizeof(From)) {
    using F = std::make_unsigned_t<Memory<From>>;
    return cast_run<F, std::make_unsigned_t<To>>;
  } else if constexpr (std::is_integral_v<To> && !std::is_same_v<To, bool>) {
    return cast_run<Memory<From>, std::make_unsigned_t<To>>;
  } else if constexpr (std::is_same_v<To, bool>) {
    return cast_run<std::make_unsigned_t<Memory<From>>, bool>;
  } else {
    return cast_run<Memory<From>, To>;
  }
}

template <class From, class... To>
void add_from(CastTable& table) {
  ((table.loops[static_cast<int>(dtype_of<From>)][static_cast<int>(dtype_of<To>)] = loop<From, To>()), ...);
}

template <class... From>
void add(CastTable& table) {
  (add_from<From, bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, float, double>(table),
   ...);
}

}  // namespace

void fill_cast_integers(CastTable& table) {
  add<bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>(table);
  table.loops[static_cast<int>(DType::kBool)][static_cast<int>(DType::kBool)] = cast_run<uint8_t, uint8_t>;
}

}  // namespace tinytf::kernels::TINYTF_ISA
