#pragma once

#include "base/scratch_memory.h"
#include "kernels/resize.h"
#include "op/kernel.h"
#include "op/shape_context.h"

namespace tinytf::ops {

/// Where the rows and columns of an image lie in the same image of another size.
struct ResizeAttrs {
  bool align_corners = false;       ///< the middles of the pixels in the corners are the same places in both
  bool half_pixel_centers = false;  ///< the corners of those are

  /// The attrs of these names. Both at a time are an error, but for one gradient, for which TensorFlow does not ask.
  static ResizeAttrs of(KernelInit& init, bool both = false);
};

/// The places of rows, or of columns: some that lie in between others, or (`nearest`) one of the others.
struct ResizePlaces {
  int64_t in;   ///< number of rows, 1 or more, within int32
  int64_t out;  ///< the same in the other size
  ResizeAttrs attrs;
  bool nearest;

  void write(kernels::Between* to, Parallel& parallel) const;
};

/// A ResizeShape with its tables. InvalidArgument, in TensorFlow's words, where there is no such image.
class Resizing {
 public:
  /// Whether height and width of an image, of four dimensions, are within int32.
  static Status check_image(const Shape& image);
  /// Of an image [batch, height, width, channels] to the height and width in `size`.
  static Status read(const Shape& image, const Tensor& size, kernels::ResizeShape* shape);

  /// The shape with tables: none of its sizes may be 0.
  Resizing(KernelContext& ctx, const kernels::ResizeShape& shape, const ResizeAttrs& attrs, bool nearest);
  const kernels::ResizeShape& shape() const { return shape_; }

 private:
  kernels::ResizeShape shape_;
  const ScratchMemory memory_;
};

/// Output 0: an image with the batch and channels of input 0, and the size that input 1 holds.
Status resized_shape(ShapeContext& c);

}  // namespace tinytf::ops
