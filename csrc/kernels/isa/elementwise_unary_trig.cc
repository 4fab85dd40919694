// sin and cos of floats. Arguments up to kReach are reduced in double by a two-part pi / 2, whose error stays far below
// a float's; blocks with larger arguments (or NaN) go to the library.

#include "kernels/isa/elementwise_fill.h"
#include "kernels/isa/elementwise_loops.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

constexpr float kReach = 1e6f;

struct Sin {
  static constexpr int32_t kQuarter = 0;
  static float run(float x) { return __builtin_sinf(x); }
};

struct Cos {
  static constexpr int32_t kQuarter = 1;  // cos(x) = sin(x + pi / 2)
  static float run(float x) { return __builtin_cosf(x); }
};

template <class Op>
float reduced(float x) {
  constexpr double kRounder = 0x1.8p52;
  const double shifted = static_cast<double>(x) * 0.63661977236758134308 + kRounder;
  const double n = shifted - kRounder;
  const auto quarter = static_cast<int32_t>(n) + Op::kQuarter;
  const auto r = static_cast<float>((x - n * 0x1.921fb544p0) - n * 0x1.0b4611a626331p-34);
  const float z = r * r;
  const float sine = ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f) * z * r + r;
  const float cosine =
      ((2.443315711809948e-5f * z - 1.388731625493765e-3f) * z + 4.166664568298827e-2f) * (z * z) + (1.0f - 0.5f * z);
  const float value = (quarter & 1) != 0 ? cosine : sine;
  return (quarter & 2) != 0 ? -value : value;
}

template <class Op>
void trig_run(const void* x, void* y, int64_t n) {
  constexpr int64_t kSpan = 64;
  const auto* in = static_cast<const float*>(x);
  auto* out = static_cast<float*>(y);
  for (int64_t begin = 0; begin < n; begin += kSpan) {
    const int64_t end = begin + kSpan < n ? begin + kSpan : n;
    int32_t far = 0;
    for (int64_t i = begin; i < end; ++i) far |= !(__builtin_fabsf(in[i]) < kReach);
    if (far != 0) {
      for (int64_t i = begin; i < end; ++i) out[i] = Op::run(in[i]);
      continue;
    }
    TINYTF_IVDEP
    for (int64_t i = begin; i < end; ++i) out[i] = reduced<Op>(in[i]);
  }
}

template <class Op>
void add(ElementwiseTable& table, Unary op) {
  add_unary<Op, float, Half, BFloat16>(table, op, 6);
  UnaryLoop& loop = table.unary[static_cast<int>(op)][static_cast<int>(DType::kFloat)];
  loop.run = trig_run<Op>;
  loop.cost = 1;
}

}  // namespace

void fill_unary_trig(ElementwiseTable& table) {
  add<Sin>(table, Unary::kSin);
  add<Cos>(table, Unary::kCos);
}

}  // namespace tinytf::kernels::TINYTF_ISA
