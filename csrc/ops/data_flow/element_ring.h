#pragma once

#include <utility>
#include <vector>

#include "tensor/tensor.h"

namespace tinytf::ops {

/// Elements of a fixed number of components each, in a circular buffer that grows by doubling: no allocation for an
/// element. Grows and shrinks at both ends. Not thread-safe.
class ElementRing {
 public:
  explicit ElementRing(int components) : components_(components) {}

  int64_t size() const { return size_; }
  /// The components of element i, in the order of the ring.
  Tensor* at(int64_t i) {
    const int64_t row = first_ + i;
    return tensors_.data() + (row < rows_ ? row : row - rows_) * components_;
  }
  /// Room for a new element, of invalid tensors. Valid until the next call.
  Tensor* push_back() {
    grow_if_full();
    return at(size_++);
  }
  Tensor* push_front() {
    grow_if_full();
    first_ = first_ == 0 ? rows_ - 1 : first_ - 1;
    ++size_;
    return at(0);
  }
  /// The caller has moved the element's tensors out.
  void pop_back() { --size_; }
  void pop_front() {
    first_ = first_ + 1 == rows_ ? 0 : first_ + 1;
    --size_;
  }

 private:
  void grow_if_full() {
    if (size_ < rows_) return;
    const int64_t rows = rows_ == 0 ? 8 : 2 * rows_;
    std::vector<Tensor> grown(static_cast<size_t>(rows * components_));
    for (int64_t i = 0; i < size_; ++i) std::move(at(i), at(i) + components_, grown.data() + i * components_);
    tensors_.swap(grown);
    rows_ = rows;
    first_ = 0;
  }

  const int components_;
  int64_t rows_ = 0;
  int64_t first_ = 0;
  int64_t size_ = 0;
  std::vector<Tensor> tensors_;
};

}  // namespace tinytf::ops
