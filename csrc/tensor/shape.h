#pragma once

#include <cstdint>
#include <string>

#include "base/checked.h"
#include "base/inlined_vector.h"
#include "base/status.h"

namespace tinytf {

using Dims = InlinedVector<int64_t, 4>;

/// A fully known shape. Value type; copies allocate only above rank 4. It can hold any numbers, but allocation and
/// views reject shapes that `checked` rejects. Therefore no count within the shape of a tensor can overflow int64.
class Shape {
 public:
  static constexpr int kMaxRank = 254;  ///< TensorFlow's limit

  Shape() = default;  // scalar
  Shape(std::initializer_list<int64_t> dims) : dims_(dims) {}
  explicit Shape(Dims dims) : dims_(std::move(dims)) {}

  /// Validates sizes that come from outside. InvalidArgument for negative sizes, element counts beyond int64 and more
  /// than kMaxRank dimensions. A size of 0 does not excuse others that are too large.
  static Result<Shape> checked(Dims dims);
  Status check() const;

  int rank() const { return static_cast<int>(dims_.size()); }
  /// Size of dimension i; Size::kNoSize if there is no such dimension.
  int64_t dim(int i) const { return has(i) ? dims_[i] : Size::kNoSize; }
  const Dims& dims() const { return dims_; }
  /// Number of elements; Size::kNoSize if `checked` rejects the sizes.
  int64_t num_elements() const {
    int64_t extent = 1;
    bool none = false, empty = false;
    for (const int64_t d : dims_) {
      empty |= d == 0;
      none |= d < 0;
      none |= __builtin_mul_overflow(extent, d + (d == 0), &extent);
    }
    return none ? Size::kNoSize : empty ? 0 : extent;
  }
  /// Product of the sizes of dimensions [begin, end); Size::kNoSize if one is negative or missing, or on overflow.
  int64_t product(int begin, int end) const;
  /// Product of the nonzero sizes; Size::kNoSize if one is negative, or on overflow.
  int64_t extent() const;

  // These do nothing if there is no such dimension.
  void set_dim(int i, int64_t size) {
    if (has(i)) dims_[i] = size;
  }
  void insert_dim(int i, int64_t size) {
    if (has(i) || i == rank()) dims_.insert(i, size);
  }
  void remove_dim(int i) {
    if (has(i)) dims_.erase(i);
  }
  void add_dim(int64_t size) { dims_.push_back(size); }

  /// Text such as "[2,3]" or "[]".
  std::string to_string() const;

  friend bool operator==(const Shape& a, const Shape& b) { return a.dims_ == b.dims_; }
  friend bool operator!=(const Shape& a, const Shape& b) { return !(a == b); }

 private:
  bool has(int i) const { return static_cast<size_t>(i) < dims_.size(); }

  Dims dims_;
};

}  // namespace tinytf
