#pragma once

#include <cstddef>
#include <cstdint>

#include "base/dtype.h"
#include "base/parallel.h"

namespace tinytf::kernels {

/// Moves of elements that are plain bytes. `size` is the size of one element in bytes: 1, 2, 4, 8 or 16. Shapes are
/// row-major, strides count elements. Shapes may be empty everywhere. Source and destination must not overlap.
struct CopyTable {
  /// dst[sum i_k * dst_strides[k]] = src[sum i_k * src_strides[k]] for every index of `dims`. Any order of dimensions;
  /// source strides may be 0 (broadcast) or negative, destination strides negative, and the caller has already moved
  /// the pointers to the element of index 0. One call covers transposition, slices (read and write), tile and reverse.
  void (*strided)(const void* src, void* dst, size_t size, int rank, const int64_t* dims, const int64_t* src_strides,
                  const int64_t* dst_strides, Parallel&);

  /// Output dimension k is input dimension perm[k].
  void (*transpose)(const void* src, void* dst, size_t size, int rank, const int64_t* dims, const int* perm, Parallel&);

  /// dst (shape `out`) = src[begin[k] + i_k * stride[k]]; stride may be negative, every index is in range.
  void (*slice_read)(const void* src, void* dst, size_t size, int rank, const int64_t* src_dims, const int64_t* begin,
                     const int64_t* stride, const int64_t* out, Parallel&);
  /// dst[begin[k] + i_k * stride[k]] = src (shape `in`). With `scalar`, src is one element.
  void (*slice_write)(const void* src, bool scalar, void* dst, size_t size, int rank, const int64_t* dst_dims,
                      const int64_t* begin, const int64_t* stride, const int64_t* in, Parallel&);

  /// src is aligned right against `out` (rank >= src_rank); each of its dimensions is 1 or that of `out`.
  void (*broadcast)(const void* src, int src_rank, const int64_t* src_dims, void* dst, size_t size, int rank,
                    const int64_t* out, Parallel&);
  /// Output dimension k is dims[k] * multiples[k].
  void (*tile)(const void* src, void* dst, size_t size, int rank, const int64_t* dims, const int64_t* multiples,
               Parallel&);
  /// Reverses the dimensions k with axes[k].
  void (*reverse)(const void* src, void* dst, size_t size, int rank, const int64_t* dims, const bool* axes, Parallel&);
  /// Output index i_k is input index (i_k - shift[k]) mod dims[k]; shifts may be negative.
  void (*roll)(const void* src, void* dst, size_t size, int rank, const int64_t* dims, const int64_t* shift, Parallel&);

  /// Output dimension k is before[k] + dims[k] + after[k]; the rim holds `value` (one element).
  void (*pad)(const void* src, void* dst, size_t size, int rank, const int64_t* dims, const int64_t* before,
              const int64_t* after, const void* value, Parallel&);
  /// The rim mirrors the inside; skip = 1 leaves the border element out (REFLECT), 0 repeats it (SYMMETRIC).
  /// Paddings are at most dims[k] - skip.
  void (*mirror_pad)(const void* src, void* dst, size_t size, int rank, const int64_t* dims, const int64_t* before,
                     const int64_t* after, int skip, Parallel&);

  /// Inputs viewed as [outer, inner_bytes[i]], laid side by side into [outer, sum of inner_bytes].
  void (*concat)(const void* const* inputs, const int64_t* inner_bytes, int count, int64_t outer, void* dst, Parallel&);
  /// The inverse of concat. Null outputs are skipped.
  void (*split)(const void* src, int64_t outer, void* const* outputs, const int64_t* inner_bytes, int count, Parallel&);

  /// Writes n copies of one element.
  void (*fill)(void* dst, const void* value, size_t size, int64_t n, Parallel&);

  /// dst [prefix, depth, suffix]: `on` where indices [prefix, suffix] (int32, int64 or uint8: `index_type`) name the
  /// depth, else `off`. Indices out of range give all `off`.
  void (*one_hot)(const void* indices, DType index_type, int64_t prefix, int64_t depth, int64_t suffix, const void* on,
                  const void* off, void* dst, size_t size, Parallel&);
};

}  // namespace tinytf::kernels
