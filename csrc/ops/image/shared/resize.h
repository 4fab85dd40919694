#pragma once

#include "base/scratch_memory.h"
#include "kernels/resize.h"
#include "op/kernel.h"
#include "op/shape_context.h"

namespace tinytf::ops {

/// How pixel positions of an image map to the same image in another size.
struct ResizeAttrs {
  bool align_corners = false;       ///< the centers of the corner pixels coincide
  bool half_pixel_centers = false;  ///< the outer corners of the corner pixels coincide

  /// Reads the attrs with these names. Setting both is an error unless `both`, for a gradient op for which TensorFlow
  /// does not check it.
  static ResizeAttrs of(KernelInit& init, bool both = false);
};

/// Source positions of the output rows, or columns: between two source rows, or with `nearest` at one of them.
struct ResizePlaces {
  int64_t in;   ///< number of source rows, at least 1, in the range of int32
  int64_t out;  ///< number of output rows
  ResizeAttrs attrs;
  bool nearest;

  void write(kernels::Between* to, Parallel& parallel) const;
};

/// A ResizeShape with its tables. InvalidArgument, with TensorFlow's text, if the sizes are not possible.
class Resizing {
 public:
  /// Checks that height and width of a four-dimensional image are in the range of int32.
  static Status check_image(const Shape& image);
  /// Reads the shape for resizing an image [batch, height, width, channels] to the height and width in `size`.
  static Status read(const Shape& image, const Tensor& size, kernels::ResizeShape* shape);

  /// Builds the tables. No size of the shape may be 0.
  Resizing(KernelContext& ctx, const kernels::ResizeShape& shape, const ResizeAttrs& attrs, bool nearest);
  const kernels::ResizeShape& shape() const { return shape_; }

 private:
  kernels::ResizeShape shape_;
  const ScratchMemory memory_;
};

/// Shape function: output 0 is an image with the batch and channels of input 0, and the size in input 1.
Status resized_shape(ShapeContext& c);

}  // namespace tinytf::ops
