#pragma once

#include <cstdint>

#include "base/dtype.h"
#include "base/parallel.h"

namespace tinytf::kernels {

/// Operation on a matrix before it is multiplied: bit 0 transposes, bit 1 conjugates (no-op for real types).
enum class MatrixOp : uint8_t { kNone = 0, kTranspose = 1, kConjugate = 2, kAdjoint = 3 };

/// C[m, n] = op_a(A)[m, k] · op_b(B)[k, n], all row-major. Pointers need the alignment of the element only; C overlaps
/// neither A nor B. Leading dimensions count elements between the rows of the matrix as stored: A is stored m × k, or k
/// × m when op_a transposes. Any of m, n, k may be 0; k == 0 yields zeros (then bias and relu).
struct GemmArgs {
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  const void* a = nullptr;
  int64_t lda = 0;
  const void* b = nullptr;
  int64_t ldb = 0;
  void* c = nullptr;
  int64_t ldc = 0;
  MatrixOp op_a = MatrixOp::kNone;
  MatrixOp op_b = MatrixOp::kNone;
  bool accumulate = false;       // C += product instead of C = product
  const void* panels = nullptr;  // op_b(B) as GemmTable::pack made it, or null; B must be given anyway.
  const void* bias = nullptr;    // n elements added to every row after the product (and the old C).
  bool relu = false;             // Then max(x, 0), NaN stays NaN; floating types only.
};

/// `count` products that differ only in the positions of their matrices: product i uses a + a_offsets[i],
/// b + b_offsets[i], c + i * c_stride, in elements. A null offset array means offset 0 for all (one shared matrix).
struct GemmBatch {
  int64_t count = 0;
  const int64_t* a_offsets = nullptr;
  const int64_t* b_offsets = nullptr;
  int64_t c_stride = 0;
};

/// Types: float, double, half, bfloat16 (the last two convert to float, accumulate in float, round once at the end),
/// int32, int64 (wrapping), complex64, complex128. Entries of other types are null. Every function is thread-safe; the
/// order of additions depends only on shapes, never on thread counts or on how Parallel splits loops. Scratch memory is
/// kept per thread and reused: in the steady state nothing is allocated.
struct GemmTable {
  using Gemm = void (*)(const GemmArgs& args, Parallel& parallel);
  using Batched = void (*)(const GemmArgs& args, const GemmBatch& batch, Parallel& parallel);

  Gemm gemm[kDTypeCount] = {};        // Indexed by DType; also the fast path for matrix × vector and for tiny matrices.
  Batched batched[kDTypeCount] = {};  // Indexed by DType.

  /// Products rearrange B into panels. Callers that multiply by the same B repeatedly can keep these: panel_bytes()
  /// returns the memory that they take, 0 if B is used in place; pack() fills that memory, aligned as the element.
  /// Results do not change. Null for types whose panels cannot be kept.
  using PanelBytes = int64_t (*)(const GemmArgs& args);
  using Pack = void (*)(const GemmArgs& args, void* panels, Parallel& parallel);
  PanelBytes panel_bytes[kDTypeCount] = {};
  Pack pack[kDTypeCount] = {};
};

}  // namespace tinytf::kernels
