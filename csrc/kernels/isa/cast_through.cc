// Casts to and from half, bfloat16 and complex, through float or the type of the parts.

#include "kernels/isa/cast_fill.h"
#include "kernels/isa/cast_loops.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

/// The arithmetic loop of this level; filled before anything runs, and the same in every table.
template <class From, class To>
CastLoop middle_loop = nullptr;

template <class From, class To>
void run(const void* x, void* y, int64_t n) {
  if constexpr (std::is_same_v<From, To>) {
    if (x != y) __builtin_memcpy(y, x, n * sizeof(To));
  } else if constexpr (std::is_same_v<From, std::complex<float>> && std::is_same_v<To, std::complex<double>>) {
    cast_run<float, double>(x, y, 2 * n);  // The parts are contiguous.
  } else if constexpr (std::is_same_v<From, std::complex<double>> && std::is_same_v<To, std::complex<float>>) {
    cast_run<double, float>(x, y, 2 * n);
  } else {
    cast_through<From, To>(x, y, n, middle_loop<Through<From>, Through<To>>);
  }
}

template <class From, class To>
void add_pair(CastTable& table) {
  if constexpr (!kDirect<From> || !kDirect<To>) {
    middle_loop<Through<From>, Through<To>> = table.loop(dtype_of<Through<From>>, dtype_of<Through<To>>);
    table.loops[static_cast<int>(dtype_of<From>)][static_cast<int>(dtype_of<To>)] = run<From, To>;
  }
}

template <class From, class... To>
void add_from(CastTable& table) {
  (add_pair<From, To>(table), ...);
}

template <class... From>
void add(CastTable& table) {
  (add_from<From, bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, float, double, Half,
            BFloat16, std::complex<float>, std::complex<double>>(table),
   ...);
}

}  // namespace

void fill_cast_through(CastTable& table) {
  add<bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, float, double, Half, BFloat16,
      std::complex<float>, std::complex<double>>(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA
