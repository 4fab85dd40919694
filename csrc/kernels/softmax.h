#pragma once

#include <cstdint>

#include "base/dtype.h"
#include "base/parallel.h"

namespace tinytf::kernels {

// Loops on contiguous matrices [rows, cols], cols >= 1; half and bfloat16 are computed in float. `out` may be `x`.

using SoftmaxLoop = void (*)(const void* x, void* out, int64_t rows, int64_t cols);
/// loss [rows] = -sum(labels * log_softmax(logits)); backprop [rows, cols] = softmax(logits) - labels. The operands'
/// row strides are `cols`, or 0 for one row shared by all; their column strides 1, or 0 for one value per row.
/// `backprop` may be `logits` if these have the full shape.
struct Strides2D {
  int64_t row;
  int64_t col;
};
using CrossEntropyLoop = void (*)(const void* logits, Strides2D logits_strides, const void* labels,
                                  Strides2D labels_strides, void* loss, void* backprop, int64_t rows, int64_t cols);
/// labels: int64 indices, all in [0, cols).
using SparseCrossEntropyLoop = void (*)(const void* logits, const int64_t* labels, void* loss, void* backprop,
                                        int64_t rows, int64_t cols);

struct SoftmaxTable {
  SoftmaxLoop softmax[kDTypeCount];
  SoftmaxLoop log_softmax[kDTypeCount];
  CrossEntropyLoop cross_entropy[kDTypeCount];
  SparseCrossEntropyLoop sparse_cross_entropy[kDTypeCount];
};

/// Softmax or LogSoftmax.
void run_softmax(SoftmaxLoop loop, DType dtype, const void* x, void* out, int64_t rows, int64_t cols,
                 Parallel& parallel);
void run_cross_entropy(CrossEntropyLoop loop, DType dtype, const void* logits, Strides2D logits_strides,
                       const void* labels, Strides2D labels_strides, void* loss, void* backprop, int64_t rows,
                       int64_t cols, Parallel& parallel);
/// `dtype_labels` is int32 or int64. Returns -1 if all labels are in [0, cols), else the row of the first one that is
/// not; then nothing is written (unless that label was changed meanwhile) and the caller reports TensorFlow's "Received
/// a label value of … which is outside the valid range of [0, …)".
int64_t run_sparse_cross_entropy(SparseCrossEntropyLoop loop, DType dtype, const void* logits, DType dtype_labels,
                                 const void* labels, void* loss, void* backprop, int64_t rows, int64_t cols,
                                 Parallel& parallel);

}  // namespace tinytf::kernels
