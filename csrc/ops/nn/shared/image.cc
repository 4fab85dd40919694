#include "ops/nn/shared/image.h"

#include "kernels/table.h"
#include "op/registration.h"

namespace tinytf::ops {

namespace {

constexpr int kMaxRank = 5;

/// Permutes the dimensions of `in` into `out`: moves channels from position 1 to the end if `to_last`, else back.
void move_channels(KernelContext& ctx, const Tensor& in, void* out, bool to_last) {
  const int rank = in.rank();
  int perm[kMaxRank];
  perm[0] = 0;
  for (int k = 1; k < rank; ++k) {
    if (to_last) {
      perm[k] = k + 1 < rank ? k + 1 : 1;
    } else {
      perm[k] = k == 1 ? rank - 1 : k - 1;
    }
  }
  kernels::table().copy.transpose(in.raw(), out, dtype_size(in.dtype()), rank, in.shape().dims().data(), perm,
                                  ctx.parallel());
}

}  // namespace

ImageSizes image_sizes(const Shape& shape, const WindowAttrs& attrs) {
  ImageSizes sizes;
  sizes.batch = shape.dim(0);
  sizes.channels = shape.dim(attrs.format.channels(attrs.rank()));
  for (int axis = 0; axis < attrs.axes; ++axis) sizes.spatial[axis] = shape.dim(attrs.format.spatial(axis));
  return sizes;
}

Shape image_shape(const ImageSizes& sizes, const WindowAttrs& attrs) {
  Dims dims(attrs.rank(), sizes.batch);
  dims[attrs.format.channels(attrs.rank())] = sizes.channels;
  for (int axis = 0; axis < attrs.axes; ++axis) dims[attrs.format.spatial(axis)] = sizes.spatial[axis];
  return Shape(std::move(dims));
}

Shape channels_last_shape(const ImageSizes& sizes, int axes) {
  Shape shape({sizes.batch});
  for (int axis = 0; axis < axes; ++axis) shape.add_dim(sizes.spatial[axis]);
  shape.add_dim(sizes.channels);
  return shape;
}

ImageSizes window_output(int64_t batch, const kernels::Window& window, int64_t channels, int axes) {
  ImageSizes sizes;
  sizes.batch = batch;
  sizes.channels = channels;
  for (int axis = 0; axis < axes; ++axis) sizes.spatial[axis] = window.out[kernels::Window::kAxes - axes + axis];
  return sizes;
}

Result<Shape> sizes_from(const Tensor& sizes, const char* label, const char* input, int rank) {
  if (sizes.rank() != 1) {
    return invalid_argument(label, ": ", input, " input must be 1-dim, not ", sizes.rank());
  }
  if (sizes.num_elements() != rank) {
    return invalid_argument(label, " requires ", input, " to contain ", rank,
                            " values, but got: ", sizes.num_elements());
  }
  Dims dims;
  for (int64_t i = 0; i < rank; ++i) dims.push_back(sizes.int_at(i));
  return Shape::checked(dims);
}

Result<Tensor> channels_last(KernelContext& ctx, const Tensor& image, const WindowAttrs& attrs) {
  if (!attrs.format.channels_first) return image;
  const Shape shape = channels_last_shape(image_sizes(image.shape(), attrs), attrs.axes);
  TINYTF_ASSIGN_OR_RETURN(Tensor copy, ctx.allocate(image.dtype(), shape));
  move_channels(ctx, image, copy.raw(), /*to_last=*/true);
  return copy;
}

Status ImageOutput::allocate(KernelContext& ctx, int i, const ImageSizes& sizes, const WindowAttrs& attrs) {
  TINYTF_ASSIGN_OR_RETURN(out_, ctx.allocate_output(i, image_shape(sizes, attrs)));
  if (attrs.format.channels_first) {
    TINYTF_ASSIGN_OR_RETURN(scratch_, ctx.allocate(out_->dtype(), channels_last_shape(sizes, attrs.axes)));
  }
  return Status();
}

void ImageOutput::finish(KernelContext& ctx) {
  if (scratch_.valid()) move_channels(ctx, scratch_, out_->raw(), /*to_last=*/false);
}

}  // namespace tinytf::ops
