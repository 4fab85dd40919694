#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "tensor/tensor.h"

namespace tinytf::ops {

/// Returns component i of an element that is to be stored.
using ElementSource = FunctionRef<Tensor(int)>;

/// Fills `components` from `source`; if that throws, all of them become invalid.
inline void fill_element(Tensor* components, int count, ElementSource source) {
  static_assert(std::is_nothrow_move_assignable_v<Tensor>);
  int filled = 0;
  try {
    for (; filled < count; ++filled) components[filled] = source(filled);
  } catch (...) {
    std::fill_n(components, filled, Tensor());
    throw;
  }
}

/// Elements with a fixed number of components in a circular buffer that grows by doubling, so that elements need no
/// allocation of their own. Elements are pushed and popped at both ends. Not thread-safe.
class ElementRing {
 public:
  explicit ElementRing(int components) : components_(components) {}

  int64_t size() const { return size_; }
  /// Makes room for `elements` elements in total. Elements must not be pushed beyond that; up to there pushing
  /// allocates no memory.
  void reserve(int64_t elements) {
    if (elements > rows_) grow(elements);
  }
  /// The components of the element at position i.
  Tensor* at(int64_t i) {
    const int64_t row = first_ + i;
    return tensors_.data() + (row < rows_ ? row : row - rows_) * components_;
  }
  /// Appends an element; if the source throws, the ring is unchanged.
  void push_back(ElementSource source) {
    fill_element(at(size_), components_, source);
    ++size_;
  }
  void push_front(ElementSource source) {
    const int64_t before = first_ == 0 ? rows_ - 1 : first_ - 1;
    fill_element(tensors_.data() + before * components_, components_, source);
    first_ = before;
    ++size_;
  }
  /// Removes an element, whose tensors the caller has moved out.
  void pop_back() { --size_; }
  void pop_front() {
    first_ = first_ + 1 == rows_ ? 0 : first_ + 1;
    --size_;
  }

 private:
  void grow(int64_t elements) {
    const int64_t rows = std::max({int64_t{8}, 2 * rows_, elements});
    std::vector<Tensor> grown(static_cast<size_t>(rows) * static_cast<size_t>(components_));
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
