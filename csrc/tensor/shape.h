#pragma once

#include <cstdint>
#include <string>

#include "base/inlined_vector.h"
#include "base/status.h"

namespace tinytf {

using Dims = InlinedVector<int64_t, 4>;

/// A fully known shape. Value type; copies allocate only above rank 4.
class Shape {
 public:
  Shape() = default;  // scalar
  Shape(std::initializer_list<int64_t> dims) : dims_(dims) {}
  explicit Shape(Dims dims) : dims_(std::move(dims)) {}

  /// Refuses negative sizes and element counts beyond int64: for sizes that come from outside.
  static Result<Shape> checked(const Dims& dims);

  int rank() const { return static_cast<int>(dims_.size()); }
  int64_t dim(int i) const { return dims_[i]; }
  const Dims& dims() const { return dims_; }
  int64_t num_elements() const {
    int64_t n = 1;
    for (int64_t d : dims_) n *= d;
    return n;
  }
  /// Product of the sizes of dimensions [begin, end).
  int64_t product(int begin, int end) const;

  void set_dim(int i, int64_t size) { dims_[i] = size; }
  void add_dim(int64_t size) { dims_.push_back(size); }
  void insert_dim(int i, int64_t size) { dims_.insert(i, size); }
  void remove_dim(int i) { dims_.erase(i); }

  /// "[2,3]", "[]".
  std::string to_string() const;

  friend bool operator==(const Shape& a, const Shape& b) { return a.dims_ == b.dims_; }
  friend bool operator!=(const Shape& a, const Shape& b) { return !(a == b); }

 private:
  Dims dims_;
};

}  // namespace tinytf
