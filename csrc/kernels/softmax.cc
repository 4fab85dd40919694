#include "kernels/softmax.h"

namespace tinytf::kernels {

namespace {

constexpr double kExpCost = 0.8;  // nanoseconds per element

/// Position of row `row` in a matrix with that row stride.
const char* row_of(const void* data, int64_t row, int64_t stride, size_t size) {
  return static_cast<const char*>(data) + row * stride * static_cast<int64_t>(size);
}
char* row_of(void* data, int64_t row, int64_t stride, size_t size) {
  return static_cast<char*>(data) + row * stride * static_cast<int64_t>(size);
}

int64_t label_at(const void* labels, DType dtype, int64_t row) {
  return dtype == DType::kInt64 ? static_cast<const int64_t*>(labels)[row] : static_cast<const int32_t*>(labels)[row];
}

}  // namespace

void run_softmax(SoftmaxLoop loop, DType dtype, const void* x, void* out, int64_t rows, int64_t cols,
                 Parallel& parallel) {
  const size_t size = dtype_size(dtype);
  parallel.run(rows, 1, kExpCost * static_cast<double>(cols), [&](int64_t begin, int64_t end) {
    loop(row_of(x, begin, cols, size), row_of(out, begin, cols, size), end - begin, cols);
  });
}

void run_cross_entropy(CrossEntropyLoop loop, DType dtype, const void* logits, Strides2D logits_strides,
                       const void* labels, Strides2D labels_strides, void* loss, void* backprop, int64_t rows,
                       int64_t cols, Parallel& parallel) {
  const size_t size = dtype_size(dtype);
  parallel.run(rows, 1, 2 * kExpCost * static_cast<double>(cols), [&](int64_t begin, int64_t end) {
    loop(row_of(logits, begin, logits_strides.row, size), logits_strides,
         row_of(labels, begin, labels_strides.row, size), labels_strides, row_of(loss, begin, 1, size),
         row_of(backprop, begin, cols, size), end - begin, cols);
  });
}

int64_t run_sparse_cross_entropy(SparseCrossEntropyLoop loop, DType dtype, const void* logits, DType dtype_labels,
                                 const void* labels, void* loss, void* backprop, int64_t rows, int64_t cols,
                                 Parallel& parallel) {
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t label = label_at(labels, dtype_labels, i);
    if (label < 0 || label >= cols) return i;
  }
  const size_t size = dtype_size(dtype);
  parallel.run(rows, 1, kExpCost * static_cast<double>(cols), [&](int64_t begin, int64_t end) {
    constexpr int64_t kBatch = 128;
    int64_t indices[kBatch];
    for (int64_t first = begin; first < end; first += kBatch) {
      const int64_t n = end - first < kBatch ? end - first : kBatch;
      for (int64_t i = 0; i < n; ++i) indices[i] = label_at(labels, dtype_labels, first + i);
      loop(row_of(logits, first, cols, size), indices, row_of(loss, first, 1, size),
           row_of(backprop, first, cols, size), n, cols);
    }
  });
  return -1;
}

}  // namespace tinytf::kernels
