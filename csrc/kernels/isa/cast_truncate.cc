// Cast with attribute Truncate: toward zero where the other loops round.

#include "kernels/isa/cast_fill.h"
#include "kernels/isa/cast_loops.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

uint16_t bfloat16_toward_zero(float x) {
  const uint32_t bits = bit_cast<uint32_t>(x);
  return static_cast<uint16_t>((bits >> 16) | (x != x ? 0x40u : 0u));
}

uint16_t half_toward_zero(float x) {
  // Dropping the bits below half's last place leaves nothing to round; subnormal halves have more to drop.
  const uint32_t bits = bit_cast<uint32_t>(x);
  const uint32_t exponent = (bits >> 23) & 0xFFu;
  if (x != x || exponent == 0xFF) return float_to_half_bits(x);
  if (exponent >= 143) return static_cast<uint16_t>(((bits >> 16) & 0x8000u) | 0x7BFFu);  // The largest half.
  const uint32_t drop = exponent >= 113 ? 13 : exponent >= 103 ? 126 - exponent : 31;
  const uint32_t kept = drop >= 24 ? bits & 0x80000000u : bits & ~((1u << drop) - 1);
  return float_to_half_bits(bit_cast<float>(kept));
}

template <class From, uint16_t (*kBits)(float)>
void run(const void* x, void* y, int64_t n) {
  const auto* in = static_cast<const From*>(x);
  auto* out = static_cast<uint16_t*>(y);
  for (int64_t i = 0; i < n; ++i) out[i] = kBits(static_cast<float>(in[i]));
}

}  // namespace

void fill_cast_truncate(CastTable& table) {
  constexpr auto kFrom32 = static_cast<int>(DType::kFloat), kFrom64 = static_cast<int>(DType::kDouble);
  constexpr auto kHalf = static_cast<int>(DType::kHalf), kBfloat16 = static_cast<int>(DType::kBfloat16);
  table.truncate[kFrom32][kHalf] = run<float, half_toward_zero>;
  table.truncate[kFrom64][kHalf] = run<double, half_toward_zero>;
  table.truncate[kFrom32][kBfloat16] = run<float, bfloat16_toward_zero>;
  table.truncate[kFrom64][kBfloat16] = run<double, bfloat16_toward_zero>;
}

}  // namespace tinytf::kernels::TINYTF_ISA
