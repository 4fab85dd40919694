#pragma once

#include <cstdint>
#include <string>

#include "tensor/shape.h"

namespace tinytf {

inline constexpr int64_t kUnknownDim = -1;

/// A shape whose rank or some of whose sizes may be unknown, as in shape inference. Value type.
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
  /// A shape of that rank with unknown sizes. If the rank is negative or above Shape::kMaxRank, the rank is unknown,
  /// too.
  static PartialShape unknown_of_rank(int64_t rank);

  bool known_rank() const { return known_rank_; }
  /// -1 if unknown.
  int rank() const { return known_rank_ ? static_cast<int>(dims_.size()) : -1; }
  /// Size of dimension i, which counts from the end if negative; kUnknownDim if unknown or if i does not exist.
  int64_t dim(int64_t i) const {
    const size_t at = position(i);
    return at < dims_.size() ? dims_[at] : kUnknownDim;
  }
  const Dims& dims() const { return dims_; }
  bool fully_defined() const;
  /// Product of all sizes; kUnknownDim if a size is unknown or no tensor can have so many elements.
  int64_t num_elements() const;
  /// The shape, which must be fully defined.
  Shape to_shape() const { return Shape(dims_); }

  // Negative sizes, such as Size::kNoSize, are stored as unknown.
  /// Does nothing if dimension i does not exist.
  void set_dim(int64_t i, int64_t size) {
    if (const size_t at = position(i); at < dims_.size()) dims_[at] = known(size);
  }
  void add_dim(int64_t size) { dims_.push_back(known(size)); }

  /// Dimensions [begin, end), where negative indices count from the end. If the rank is unknown, so is the result's.
  PartialShape slice(int64_t begin, int64_t end) const;
  PartialShape slice(int64_t begin) const { return slice(begin, rank()); }
  /// Of unknown rank if either shape is.
  PartialShape concatenate(const PartialShape& tail) const;
  bool compatible_with(const PartialShape& other) const;
  /// Combines the known sizes of both shapes; InvalidArgument if they conflict.
  Result<PartialShape> merge(const PartialShape& other) const;

  /// Keeps the sizes on which both shapes agree; the others become unknown.
  PartialShape common_with(const PartialShape& other) const;

  /// Text such as "[2,?]", "[]" or "<unknown>".
  std::string to_string() const;

  friend bool operator==(const PartialShape& a, const PartialShape& b) {
    return a.known_rank_ == b.known_rank_ && a.dims_ == b.dims_;
  }
  friend bool operator!=(const PartialShape& a, const PartialShape& b) { return !(a == b); }

 private:
  static int64_t known(int64_t size) { return size < 0 ? kUnknownDim : size; }
  /// The index of dimension i, or a number beyond the last index if there is no such dimension.
  size_t position(int64_t i) const { return static_cast<size_t>(i) + (i < 0 ? dims_.size() : 0); }

  bool known_rank_ = false;
  Dims dims_;
};

/// Merges two dimension sizes into the known one. Error: "Dimensions must be equal, but are {a} and {b}".
Result<int64_t> merge_dims(int64_t a, int64_t b);

}  // namespace tinytf
