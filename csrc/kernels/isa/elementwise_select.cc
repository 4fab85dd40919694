// Select, by element size.

#include "kernels/isa/compiler.h"
#include "kernels/isa/elementwise_fill.h"
#include "kernels/isa/elementwise_types.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

template <class T>
void select_run(const bool* cond, const void* a, const void* b, void* out, int64_t n) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(cond);
  const auto* yes = static_cast<const T*>(a);
  const auto* no = static_cast<const T*>(b);
  auto* result = static_cast<T*>(out);
  TINYTF_IVDEP
  for (int64_t i = 0; i < n; ++i) {
    const T x = yes[i], y = no[i];
    result[i] = bytes[i] != 0 ? x : y;
  }
}

void select_run16(const bool* cond, const void* a, const void* b, void* out, int64_t n) {
  const auto* yes = static_cast<const Cplx<double>*>(a);
  const auto* no = static_cast<const Cplx<double>*>(b);
  auto* result = static_cast<Cplx<double>*>(out);
  for (int64_t i = 0; i < n; ++i) result[i] = cond[i] ? yes[i] : no[i];
}

}  // namespace

void fill_select(ElementwiseTable& table) {
  table.select[0] = select_run<uint8_t>;
  table.select[1] = select_run<uint16_t>;
  table.select[2] = select_run<uint32_t>;
  table.select[3] = select_run<uint64_t>;
  table.select[4] = select_run16;
}

}  // namespace tinytf::kernels::TINYTF_ISA
