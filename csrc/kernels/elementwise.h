#pragma once

#include <cstdint>

#include "base/dtype.h"
#include "base/parallel.h"
#include "kernels/broadcast_plan.h"

// Element-wise loops and the drivers that broadcast and split them. A kernel object looks its loops up once
// (`table().elementwise.unary_loop(Unary::kExp, dtype)`) and runs them through the drivers below. Loops take contiguous
// elements of any alignment, allocate nothing and do not throw.
// Half and bfloat16 are computed in float and rounded once.

// y = f(x). The result has x's type, except for IsNan, IsInf, IsFinite (bool), Real, Imag, Angle, ComplexAbs (the type
// of the parts) and PopulationCount (uint8). Inv is Reciprocal.
// clang-format off
#define TINYTF_UNARY_OPS(X) \
  X(kAbs) X(kNeg) X(kSign) X(kSquare) X(kReciprocal) X(kRelu) X(kRelu6) X(kFloor) X(kCeil) X(kRound) \
  X(kRint) X(kSqrt) X(kRsqrt) X(kSoftsign) X(kLogicalNot) X(kInvert) X(kPopulationCount) X(kIsNan) \
  X(kIsInf) X(kIsFinite) X(kConj) X(kReal) X(kImag) X(kAngle) X(kComplexAbs) X(kExp) X(kExpm1) X(kLog) \
  X(kLog1p) X(kTanh) X(kSigmoid) X(kElu) X(kSelu) X(kSoftplus) X(kErf) X(kErfc) X(kSin) X(kCos) \
  X(kTan) X(kAsin) X(kAcos) X(kAtan) X(kSinh) X(kCosh) X(kAsinh) X(kAcosh) X(kAtanh) X(kLgamma) \
  X(kDigamma)
// clang-format on

// out = f(a, b), with the operands in the order of TensorFlow's op: (y, dy) for TanhGrad, SigmoidGrad, SqrtGrad,
// RsqrtGrad, ReciprocalGrad; (gradients, features or outputs) for the activations' gradients; (y, x) for Atan2.
// Comparisons give bool, Complex makes complex64 of two floats and complex128 of two doubles; the others give a's type.
// TensorFlow's Mod is TruncateMod; its Div is TruncateDiv for integers and RealDiv for other types.
// clang-format off
#define TINYTF_BINARY_OPS(X) \
  X(kAdd) X(kSub) X(kMul) X(kRealDiv) X(kDivNoNan) X(kMulNoNan) X(kFloorDiv) X(kFloorMod) \
  X(kTruncateDiv) X(kTruncateMod) X(kMaximum) X(kMinimum) X(kPow) X(kSquaredDifference) X(kAtan2) \
  X(kXlogy) X(kXdivy) X(kNextAfter) X(kEqual) X(kNotEqual) X(kLess) X(kLessEqual) X(kGreater) \
  X(kGreaterEqual) X(kLogicalAnd) X(kLogicalOr) X(kBitwiseAnd) X(kBitwiseOr) X(kBitwiseXor) \
  X(kLeftShift) X(kRightShift) X(kComplex) X(kTanhGrad) X(kSigmoidGrad) X(kSqrtGrad) X(kRsqrtGrad) \
  X(kReciprocalGrad) X(kReluGrad) X(kRelu6Grad) X(kEluGrad) X(kSeluGrad) X(kSoftplusGrad) \
  X(kSoftsignGrad)
// clang-format on

namespace tinytf::kernels {

#define TINYTF_X(name) name,
enum class Unary : uint8_t { TINYTF_UNARY_OPS(TINYTF_X) kCount };
enum class Binary : uint8_t { TINYTF_BINARY_OPS(TINYTF_X) kCount };
#undef TINYTF_X

/// Error that an integer loop met. The element's result is 0, and the loop went on.
enum class Fault : uint8_t { kNone, kDivisionByZero, kNegativePower };
/// TensorFlow's text: "Integer division by zero", "Integers to negative integer powers are not allowed".
const char* fault_message(Fault fault);

/// `y` may be `x` if the types have one size.
struct UnaryLoop {
  void (*run)(const void* x, void* y, int64_t n) = nullptr;
  float cost = 0;  // Estimated nanoseconds per element.
  uint8_t in_size = 0, out_size = 0;

  explicit operator bool() const { return run != nullptr; }
};

/// The three forms: both operands have `n` elements, or one of them has a single element. `out` may be an operand of
/// `n` elements, if the types have one size.
struct BinaryLoop {
  using Run = Fault (*)(const void* a, const void* b, void* out, int64_t n);
  Run both = nullptr;
  Run left_scalar = nullptr;
  Run right_scalar = nullptr;
  float cost = 0;
  uint8_t in_size = 0, out_size = 0;

  explicit operator bool() const { return both != nullptr; }
};

/// out[i] = cond[i] ? a[i] : b[i]; `out` may be `a` or `b`. One loop per element size, for any type without a
/// destructor.
using SelectLoop = void (*)(const bool* cond, const void* a, const void* b, void* out, int64_t n);
/// Elements [begin, end) of out = sum of `count` >= 1 inputs in one pass, added from left to right; `out` may be any of
/// them.
using AddNLoop = void (*)(const void* const* inputs, int count, void* out, int64_t begin, int64_t end);
/// LeakyRelu: y = x > 0 ? x : alpha * x, and its gradient from (gradients, features).
using LeakyReluLoop = void (*)(const void* x, void* y, int64_t n, float alpha);
using LeakyReluGradLoop = void (*)(const void* gradients, const void* features, void* out, int64_t n, float alpha);

struct ElementwiseTable {
  UnaryLoop unary[static_cast<int>(Unary::kCount)][kDTypeCount];
  BinaryLoop binary[static_cast<int>(Binary::kCount)][kDTypeCount];
  SelectLoop select[5];  // Of 1, 2, 4, 8, 16 bytes.
  AddNLoop add_n[kDTypeCount];
  LeakyReluLoop leaky_relu[kDTypeCount];
  LeakyReluGradLoop leaky_relu_grad[kDTypeCount];

  /// Indexed by the operands' type; the loop is empty if TensorFlow's CPU op does not support the type.
  const UnaryLoop& unary_loop(Unary op, DType dtype) const {
    return unary[static_cast<int>(op)][static_cast<int>(dtype)];
  }
  const BinaryLoop& binary_loop(Binary op, DType dtype) const {
    return binary[static_cast<int>(op)][static_cast<int>(dtype)];
  }
};

// Drivers. They split large work with `parallel` and run small work in place. In-place operation is allowed if the loop
// allows it and the operand has the result's shape.

void run_unary(const UnaryLoop& loop, const void* x, void* y, int64_t n, Parallel& parallel);
/// Both operands have `n` elements.
Fault run_binary(const BinaryLoop& loop, const void* a, const void* b, void* out, int64_t n, Parallel& parallel);
Fault run_binary(const BinaryLoop& loop, const BroadcastPlan& plan, const void* a, const void* b, void* out,
                 Parallel& parallel);

/// Element-wise select of `n` elements of `size` (1, 2, 4, 8 or 16) bytes.
void run_select(const ElementwiseTable& table, size_t size, const bool* cond, const void* a, const void* b, void* out,
                int64_t n, Parallel& parallel);
/// SelectV2: a plan of three operands (cond, a, b).
void run_select(const ElementwiseTable& table, size_t size, const BroadcastPlan& plan, const bool* cond, const void* a,
                const void* b, void* out, Parallel& parallel);
/// Select with one condition per row of `row_bytes` bytes.
void run_select_rows(const bool* cond, const void* a, const void* b, void* out, int64_t rows, int64_t row_bytes,
                     Parallel& parallel);

void run_add_n(const ElementwiseTable& table, DType dtype, const void* const* inputs, int count, void* out, int64_t n,
               Parallel& parallel);

}  // namespace tinytf::kernels
