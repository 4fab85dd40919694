#include "kernels/softmax.h"

#include <atomic>

#include "base/read_once.h"

namespace tinytf::kernels {

namespace {

constexpr double kExpCost = 0.8;    // Nanoseconds per element.
constexpr double kLabelCost = 1.0;  // Nanoseconds per label.

/// Pointer to row `row` of a matrix with that row stride.
const char* row_of(const void* data, int64_t row, int64_t stride, size_t size) {
  return static_cast<const char*>(data) + row * stride * static_cast<int64_t>(size);
}
char* row_of(void* data, int64_t row, int64_t stride, size_t size) {
  return static_cast<char*>(data) + row * stride * static_cast<int64_t>(size);
}

int64_t label_at(const void* labels, DType dtype, int64_t row) {
  return dtype == DType::kInt64 ? read_once(static_cast<const int64_t*>(labels) + row)
                                : read_once(static_cast<const int32_t*>(labels) + row);
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
  const auto is_inside = [cols](int64_t label) { return label >= 0 && label < cols; };
  int64_t bad_label = -1;
  parallel.run_in_order(rows, kLabelCost, [&](int64_t i, int64_t end) {
    for (; bad_label < 0 && i < end; ++i) {
      if (!is_inside(label_at(labels, dtype_labels, i))) bad_label = i;
    }
  });
  if (bad_label >= 0) return bad_label;
  const size_t size = dtype_size(dtype);
  // Row of a label that has changed since, as fed memory may be written concurrently.
  std::atomic<int64_t> bad_row{-1};
  parallel.run(rows, 1, kExpCost * static_cast<double>(cols), [&](int64_t begin, int64_t end) {
    constexpr int64_t kBatch = 128;
    int64_t indices[kBatch];
    for (int64_t first = begin; first < end; first += kBatch) {
      const int64_t n = end - first < kBatch ? end - first : kBatch;
      for (int64_t i = 0; i < n; ++i) {
        indices[i] = label_at(labels, dtype_labels, first + i);
        if (!is_inside(indices[i])) {
          bad_row.store(first + i, std::memory_order_relaxed);
          return;
        }
      }
      loop(row_of(logits, first, cols, size), indices, row_of(loss, first, 1, size),
           row_of(backprop, first, cols, size), n, cols);
    }
  });
  return bad_row.load(std::memory_order_relaxed);
}

}  // namespace tinytf::kernels
