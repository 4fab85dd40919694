#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/inlined_vector.h"
#include "base/status.h"
#include "tensor/shape.h"

namespace tinytf {

/// A part of a tensor: of each dimension, all of it or `length` entries from `start` on. Value type.
class TensorSlice {
 public:
  static constexpr int64_t kWhole = -1;
  struct Extent {
    int64_t start = 0;
    int64_t length = kWhole;  ///< kWhole, or above 0

    bool is_whole() const { return length == kWhole; }
    friend bool operator==(const Extent& a, const Extent& b) { return a.start == b.start && a.length == b.length; }
  };

  TensorSlice() = default;
  /// All of a tensor of that rank.
  static TensorSlice whole(int rank);
  /// "-:0,2" is all of the first dimension, and of the second the first two entries; "" of a scalar. InvalidArgument.
  static Result<TensorSlice> parse(std::string_view text);

  int rank() const { return static_cast<int>(extents_.size()); }
  const Extent& extent(int i) const { return extents_[static_cast<size_t>(i)]; }
  /// InvalidArgument unless the extent can be one.
  Status add(Extent extent);

  bool is_whole() const;
  /// What the slice has of a tensor of that shape. Internal where it does not lie within it.
  Result<Shape> apply(const Shape& shape) const;
  /// As parse() takes it.
  std::string to_string() const;

  friend bool operator==(const TensorSlice& a, const TensorSlice& b);

 private:
  InlinedVector<Extent, 4> extents_;
};

/// What "5 2 0,3:-" says: a part of a tensor that has that shape.
struct ShapeAndSlice {
  Shape shape;
  TensorSlice slice;
  Shape slice_shape;
};
/// Of a text that is not empty.
Result<ShapeAndSlice> parse_shape_and_slice(const std::string& text);

}  // namespace tinytf
