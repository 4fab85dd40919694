#pragma once

#include "op/kernel.h"
#include "ops/nn/shared/window_attrs.h"

namespace tinytf::ops {

/// Sizes of an image tensor, independent of its data format.
struct ImageSizes {
  int64_t batch = 0;
  int64_t channels = 0;
  int64_t spatial[3] = {1, 1, 1};
};

/// The sizes of `shape`, which has attrs.rank() dimensions.
ImageSizes image_sizes(const Shape& shape, const WindowAttrs& attrs);
/// The shape in the data format of the op.
Shape image_shape(const ImageSizes& sizes, const WindowAttrs& attrs);
/// The shape with channels last.
Shape channels_last_shape(const ImageSizes& sizes, int axes);
/// Sizes of the output of a window that slides over an image.
ImageSizes window_output(int64_t batch, const kernels::Window& window, int64_t channels, int axes);
/// Reads a one-dimensional int32 or int64 tensor of `rank` elements as a shape; `label` names the op in messages.
Result<Shape> sizes_from(const Tensor& sizes, const char* label, const char* input, int rank);

/// The image in the layout of the loops: itself if channels are last, else a transposed copy.
Result<Tensor> channels_last(KernelContext& ctx, const Tensor& image, const WindowAttrs& attrs);

/// Output `i` of a kernel whose loops write channels-last images to `target()`. If the op's data format is
/// channels-first, that is scratch memory, which `finish()` transposes into the output.
class ImageOutput {
 public:
  Status allocate(KernelContext& ctx, int i, const ImageSizes& sizes, const WindowAttrs& attrs);
  void* target() { return scratch_.valid() ? scratch_.raw() : out_->raw(); }
  size_t bytes() const { return out_->bytes(); }
  void finish(KernelContext& ctx);

 private:
  Tensor* out_ = nullptr;
  Tensor scratch_;
};

}  // namespace tinytf::ops
