#pragma once

#include <cstddef>
#include <cstdint>

#include "base/dtype.h"
#include "base/parallel.h"

namespace tinytf::kernels {

/// Index arrays are int32 or int64, as their `type` says.
struct Indices {
  const void* data;
  DType type;
  int64_t count;
};

/// The operation that a scatter applies to a row and its update. Integers wrap; an integer divided by 0 gives 0.
enum class Scatter { kAdd, kSub, kMul, kDiv, kMin, kMax };
inline constexpr int kScatterCount = 6;

enum class Segment { kSum, kMean, kProd, kMin, kMax };
inline constexpr int kSegmentCount = 5;

/// Returned if every index was in range; else the result is the position of the first that was not.
inline constexpr int64_t kAllInRange = -1;

/// rows [limit, inner] op= updates [count, inner] (with `scalar`, one element) at rows `indices`, in order of the
/// indices: the result is the same for any number of threads. Nothing is written unless all indices are in range.
using ScatterFn = int64_t (*)(void* rows, int64_t limit, int64_t inner, const Indices& indices, const void* updates,
                              bool scalar, Parallel&);

/// out [segments, inner] = reduction of the rows of data [ids.count, inner] with that id, in row order. Unsorted:
/// negative ids are dropped, empty segments are 0 (sum), 1 (prod), the greatest (min) or lowest (max) value of the
/// type. Sorted: ids do not decrease (check_sorted); empty segments are 0 (prod: 1). Only sorted ids have a mean.
/// Returns kAllInRange or the position of the first id that is not below `segments`; then `out` is unspecified.
using SegmentFn = int64_t (*)(const void* data, int64_t inner, const Indices& ids, int64_t segments, void* out,
                              Parallel&);

/// values, indices [rows, k]: the k greatest of each row of `in` [rows, cols], k <= cols, in descending order; equal
/// values in order of their index, NaNs last.
using TopKFn = void (*)(const void* in, int64_t rows, int64_t cols, int64_t k, void* values, int32_t* indices,
                        Parallel&);

using CountFn = int64_t (*)(const void* in, int64_t n, Parallel&);
/// coordinates [true elements, rank] of the elements that are not 0, row-major.
using WhereFn = void (*)(const void* in, int rank, const int64_t* dims, int64_t* coordinates, Parallel&);
/// A matrix [rows, columns] of `count` values at the coordinates `places` [count, 2]; values at equal coordinates are
/// added. All coordinates are within the matrix.
struct SparseMatrix {
  const int64_t* places;
  const void* values;
  int64_t count;
  bool transposed;  // Use the transpose, [columns, rows].
};
/// out [rows, n] += a b, in order of the values, for any number of threads. `rows` and the rows of b [., n] refer to
/// `a` after its transposition.
using SparseProductFn = void (*)(const SparseMatrix& a, const void* b, int64_t rows, int64_t n, void* out, Parallel&);
/// The adjoint of CopyTable::mirror_pad: every element of out (shape `dims`) is the sum of the elements of `in` (the
/// padded shape) that mirror it.
using MirrorPadGradFn = void (*)(const void* in, void* out, int rank, const int64_t* dims, const int64_t* before,
                                 const int64_t* after, int skip, Parallel&);

/// Arrays end in [kDTypeCount], indexed by DType; null if there is no loop.
struct GatherTable {
  /// params [batch, outer, limit, inner_bytes], indices [batch, count / batch], out [batch, outer, count / batch,
  /// inner_bytes]. Returns kAllInRange or the first bad position; then `out` is unspecified.
  int64_t (*gather)(const void* params, int64_t batch, int64_t outer, int64_t limit, int64_t inner_bytes,
                    const Indices& indices, void* out, Parallel&);
  /// Row numbers of coordinates [count, depth] in a shape of `depth` dimensions. Returns kAllInRange or the first bad
  /// row of coordinates (`coordinates.count` counts rows). With row numbers, GatherNd, ScatterNd and SparseToDense
  /// become gather, scatter and scatter_update.
  int64_t (*flatten_nd)(const Indices& coordinates, int depth, const int64_t* dims, int64_t* rows, Parallel&);
  /// rows [limit, inner_bytes] = updates [count, inner_bytes], the last write wins. With `scalar_size` > 0 updates is
  /// one element of that many bytes, repeated.
  int64_t (*scatter_update)(void* rows, int64_t limit, int64_t inner_bytes, const Indices& indices, const void* updates,
                            size_t scalar_size, Parallel&);
  /// Position of the first index outside [0, limit), or kAllInRange.
  int64_t (*check)(const Indices& indices, int64_t limit, Parallel&);
  /// Position of the first id that is negative or less than the one before it, or kAllInRange.
  int64_t (*check_sorted)(const Indices& ids, Parallel&);
  /// out[in[i]] = i. Returns kAllInRange, or the position of the first element that is out of range or a duplicate.
  int64_t (*invert_permutation)(const Indices& in, void* out, Parallel&);
  /// out[i]: whether predictions [batch, classes] has fewer than k classes above class targets[i]. False if the target
  /// is out of range or a decisive prediction is not finite.
  void (*in_top_k)(const float* predictions, int64_t classes, const Indices& targets, int64_t k, bool* out, Parallel&);

  ScatterFn scatter[kScatterCount][kDTypeCount];  // [static_cast<int>(Scatter)][dtype]
  SegmentFn segment[kSegmentCount][kDTypeCount];  // For sorted ids.
  SegmentFn unsorted_segment[kSegmentCount][kDTypeCount];
  TopKFn top_k[kDTypeCount];
  CountFn count_true[kDTypeCount];
  WhereFn where[kDTypeCount];
  MirrorPadGradFn mirror_pad_grad[kDTypeCount];
  SparseProductFn sparse_product[kDTypeCount];
};

}  // namespace tinytf::kernels
