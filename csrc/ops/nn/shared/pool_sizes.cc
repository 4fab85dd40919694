#include "ops/nn/shared/pool_sizes.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "base/checked.h"
#include "op/registration.h"

namespace tinytf::ops {

Status check_image_rank(const WindowAttrs& attrs, const Shape& tensor, const char* name) {
  if (tensor.rank() == attrs.rank()) return Status();
  return invalid_argument(name, " must be ", attrs.rank(), "-dimensional");
}

namespace {

/// Removes the window elements that read padding at every output position: with SAME padding, windows may be of any
/// size.
Status trim(kernels::Window* window) {
  const auto& out = window->out;
  if (std::find(std::begin(out), std::end(out), 0) != std::end(out)) return Status();
  Size taps = 1;
  for (int i = 0; i < kernels::Window::kAxes; ++i) {
    const int64_t first = std::max<int64_t>(0, window->pad_before[i] - (out[i] - 1) * window->stride[i]);
    window->size[i] = std::min(window->size[i], window->in[i] + window->pad_before[i]) - first;
    window->pad_before[i] -= first;
    taps *= window->size[i];
  }
  // Loops index window elements in 32 bits.
  if (taps.within(0, std::numeric_limits<int32_t>::max())) return Status();
  return invalid_argument("Sliding window has more than 2**31 - 1 elements");
}

}  // namespace

Status pool_sizes(const WindowAttrs& attrs, const Shape& input, kernels::PoolShape* shape) {
  const ImageSizes sizes = image_sizes(input, attrs);
  shape->batch = sizes.batch;
  shape->channels = sizes.channels;
  TINYTF_RETURN_IF_ERROR(attrs.resolve(sizes.spatial, attrs.size, &shape->window));
  return trim(&shape->window);
}

ImageSizes pooled_sizes(const WindowAttrs& attrs, const kernels::PoolShape& shape) {
  return window_output(shape.batch, shape.window, shape.channels, attrs.axes);
}

Status check_pooled(const WindowAttrs& attrs, const ImageSizes& expected, const Shape& tensor, const char* name) {
  TINYTF_RETURN_IF_ERROR(check_image_rank(attrs, tensor, name));
  const Shape shape = image_shape(expected, attrs);
  if (tensor == shape) return Status();
  return invalid_argument("Expected ", name, " shape to be ", shape.to_string(), ", but got ", tensor.to_string());
}

Status pool_output_shape(ShapeContext& c, int axes, bool may_pool_channels) {
  PartialShape input;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, axes + 2, &input));
  TINYTF_ASSIGN_OR_RETURN(const WindowAttrs attrs, WindowAttrs::of_pooling(c.node(), axes));
  PartialShape output = PartialShape::unknown_of_rank(attrs.rank());
  output.set_dim(0, input.dim(0));
  const int channels_dim = attrs.format.channels(attrs.rank());
  int64_t channels = input.dim(channels_dim);
  if (may_pool_channels) {
    TINYTF_ASSIGN_OR_RETURN(channels, attrs.output_channels(channels));
  }
  output.set_dim(channels_dim, channels);
  for (int axis = 0; axis < axes; ++axis) {
    const int dim = attrs.format.spatial(axis);
    TINYTF_ASSIGN_OR_RETURN(const int64_t size, attrs.output_size(axis, input.dim(dim), attrs.size[axis]));
    output.set_dim(dim, size);
  }
  for (int i = 0; i < c.num_outputs(); ++i) c.set_output(i, output);
  return Status();
}

PoolKernel::PoolKernel(KernelInit& init, int axes) {
  auto attrs = WindowAttrs::of_pooling(init.node(), axes);
  if (!attrs.ok()) {
    init.fail(attrs.status());
    return;
  }
  attrs_ = attrs.take();
  if (attrs_.pools_batch) init.fail(unimplemented("Pooling is not yet supported on the batch dimension."));
}

}  // namespace tinytf::ops
