#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/inlined_vector.h"
#include "base/status.h"
#include "tensor/shape.h"

namespace tinytf {

/// A slice of a tensor: of each dimension, all entries or `length` entries from `start` on. Value type.
class TensorSlice {
 public:
  static constexpr int64_t kWhole = -1;
  struct Extent {
    int64_t start = 0;
    int64_t length = kWhole;  ///< kWhole, or positive.

    bool is_whole() const { return length == kWhole; }
    friend bool operator==(const Extent& a, const Extent& b) { return a.start == b.start && a.length == b.length; }
  };

  TensorSlice() = default;
  /// All of a tensor of that rank.
  static TensorSlice whole(int rank);
  /// "-:0,2" is all of the first dimension and the first two entries of the second; "" is a scalar. InvalidArgument.
  static Result<TensorSlice> parse(std::string_view text);

  int rank() const { return static_cast<int>(extents_.size()); }
  const Extent& extent(int i) const { return extents_[static_cast<size_t>(i)]; }
  /// InvalidArgument for an invalid extent.
  Status add(Extent extent);

  bool is_whole() const;
  /// Returns the slice's shape in a tensor of that shape. Internal error if the slice is out of bounds.
  Result<Shape> apply(const Shape& shape) const;
  /// In the form that parse() takes.
  std::string to_string() const;

  friend bool operator==(const TensorSlice& a, const TensorSlice& b);

 private:
  InlinedVector<Extent, 4> extents_;
};

/// The parts of a text such as "5 2 0,3:-": a tensor's shape, a slice of it, and the slice's shape.
struct ShapeAndSlice {
  Shape shape;
  TensorSlice slice;
  Shape slice_shape;
};
/// The text must not be empty.
Result<ShapeAndSlice> parse_shape_and_slice(const std::string& text);

}  // namespace tinytf
