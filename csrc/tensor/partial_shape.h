#pragma once

#include <cstdint>
#include <string>

#include "tensor/shape.h"

namespace tinytf {

inline constexpr int64_t kUnknownDim = -1;

/// A shape of which the rank or some sizes may be unknown, as shape inference knows it. Value type.
class PartialShape {
 public:
  /// Unknown rank.
  PartialShape() = default;
  PartialShape(std::initializer_list<int64_t> dims) : known_rank_(true), dims_(dims) {}
  explicit PartialShape(Dims dims) : known_rank_(true), dims_(std::move(dims)) {}
  PartialShape(const Shape& shape) : known_rank_(true), dims_(shape.dims()) {}  // NOLINT(google-explicit-constructor)

  static PartialShape scalar() { return PartialShape(Dims()); }
  static PartialShape vector(int64_t size) { return PartialShape({known(size)}); }
  static PartialShape matrix(int64_t rows, int64_t columns) { return PartialShape({known(rows), known(columns)}); }
  /// Unknown rank where no value has so many dimensions, or fewer than none.
  static PartialShape unknown_of_rank(int64_t rank);

  bool known_rank() const { return known_rank_; }
  /// -1 if unknown.
  int rank() const { return known_rank_ ? static_cast<int>(dims_.size()) : -1; }
  /// Size of dimension i, or kUnknownDim, also where there is no such dimension; i counts from the end when negative.
  int64_t dim(int64_t i) const {
    const size_t at = position(i);
    return at < dims_.size() ? dims_[at] : kUnknownDim;
  }
  const Dims& dims() const { return dims_; }
  bool fully_defined() const;
  /// Product of all sizes; kUnknownDim too where no value can have so many elements.
  int64_t num_elements() const;
  /// The shape; it must be fully defined.
  Shape to_shape() const { return Shape(dims_); }

  // A negative size, such as no size (Size::kNoSize), is an unknown one.
  /// Does nothing where there is no such dimension.
  void set_dim(int64_t i, int64_t size) {
    if (const size_t at = position(i); at < dims_.size()) dims_[at] = known(size);
  }
  void add_dim(int64_t size) { dims_.push_back(known(size)); }

  /// Dimensions [begin, end), negative counts from the end; unknown rank stays unknown.
  PartialShape slice(int64_t begin, int64_t end) const;
  PartialShape slice(int64_t begin) const { return slice(begin, rank()); }
  /// Unknown if either is.
  PartialShape concatenate(const PartialShape& tail) const;
  bool compatible_with(const PartialShape& other) const;
  /// What both know together, or the text of the conflict.
  Result<PartialShape> merge(const PartialShape& other) const;

  /// What both know alike.
  PartialShape common_with(const PartialShape& other) const;

  /// "[2,?]", "[]", "<unknown>".
  std::string to_string() const;

  friend bool operator==(const PartialShape& a, const PartialShape& b) {
    return a.known_rank_ == b.known_rank_ && a.dims_ == b.dims_;
  }
  friend bool operator!=(const PartialShape& a, const PartialShape& b) { return !(a == b); }

 private:
  static int64_t known(int64_t size) { return size < 0 ? kUnknownDim : size; }
  /// Beyond the last dimension where there is none.
  size_t position(int64_t i) const { return static_cast<size_t>(i) + (i < 0 ? dims_.size() : 0); }

  bool known_rank_ = false;
  Dims dims_;
};

/// Merges two dimension sizes: the known one, or an error "Dimensions must be equal, but are {a} and {b}".
Result<int64_t> merge_dims(int64_t a, int64_t b);

}  // namespace tinytf
