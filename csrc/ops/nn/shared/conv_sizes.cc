#include "ops/nn/shared/conv_sizes.h"

#include <cstring>

#include "base/checked.h"
#include "op/registration.h"

namespace tinytf::ops {

namespace {

Status check_ranks(const WindowAttrs& attrs, const Shape& input, const Shape& filter) {
  if (input.rank() != attrs.rank()) {
    return invalid_argument("input must be ", attrs.rank(), "-dimensional", input.to_string());
  }
  if (filter.rank() != attrs.rank()) {
    return invalid_argument("filter must be ", attrs.rank(), "-dimensional: ", filter.to_string());
  }
  return Status();
}

Status too_many_channels(int64_t channels, int64_t multiplier) {
  return invalid_argument("Too many output channels: ", channels, " times ", multiplier);
}

}  // namespace

Status conv_sizes(const WindowAttrs& attrs, const Shape& input, const Shape& filter, kernels::ConvShape* shape) {
  TINYTF_RETURN_IF_ERROR(check_ranks(attrs, input, filter));
  const ImageSizes sizes = image_sizes(input, attrs);
  const int64_t depth = filter.dim(attrs.axes);
  if (depth != sizes.channels) {
    if (depth == 0 || sizes.channels % depth != 0) {
      return invalid_argument("input depth must be evenly divisible by filter depth: ", sizes.channels, " vs ", depth);
    }
    return unimplemented("Generic conv implementation does not support grouped convolutions for now.");
  }
  shape->batch = sizes.batch;
  shape->in_channels = sizes.channels;
  shape->out_channels = filter.dim(attrs.axes + 1);
  return attrs.resolve(sizes.spatial, filter.dims().data(), &shape->window);
}

Status depthwise_sizes(const WindowAttrs& attrs, const Shape& input, const Shape& filter,
                       kernels::DepthwiseShape* shape) {
  TINYTF_RETURN_IF_ERROR(check_ranks(attrs, input, filter));
  const ImageSizes sizes = image_sizes(input, attrs);
  if (filter.dim(attrs.axes) != sizes.channels) {
    return invalid_argument("input and filter must have the same depth: ", sizes.channels, " vs ",
                            filter.dim(attrs.axes));
  }
  shape->batch = sizes.batch;
  shape->channels = sizes.channels;
  shape->multiplier = filter.dim(attrs.axes + 1);
  if (!(Size(shape->channels) * shape->multiplier).ok()) return too_many_channels(shape->channels, shape->multiplier);
  return attrs.resolve(sizes.spatial, filter.dims().data(), &shape->window);
}

Status check_out_backprop(const char* label, const WindowAttrs& attrs, const ImageSizes& input,
                          const kernels::Window& window, const ImageSizes& expected, const Shape& out_backprop) {
  if (out_backprop.rank() != attrs.rank()) {
    return invalid_argument(label, ": out_backprop must be ", attrs.rank(), "-dimensional");
  }
  const ImageSizes actual = image_sizes(out_backprop, attrs);
  if (actual.batch != input.batch) {
    return invalid_argument(label, ": input and out_backprop must have the same batch size. Input batch: ", input.batch,
                            ", outbackprop batch: ", actual.batch);
  }
  if (actual.channels != expected.channels) {
    return invalid_argument(label, ": filter and out_backprop must have the same out_depth");
  }
  for (int axis = 0; axis < attrs.axes; ++axis) {
    if (actual.spatial[axis] == expected.spatial[axis]) continue;
    const int from = kernels::Window::kAxes - attrs.axes + axis;
    return invalid_argument(label, ": Size of out_backprop doesn't match computed: actual = ", actual.spatial[axis],
                            ", computed = ", expected.spatial[axis], " spatial_dim: ", attrs.format.spatial(axis),
                            " input: ", window.in[from], " filter: ", window.size[from],
                            " output: ", actual.spatial[axis], " stride: ", window.stride[from],
                            " dilation: ", window.dilation[from]);
  }
  return Status();
}

bool sums_nothing(const Tensor& a, const Tensor& b, void* out, size_t bytes) {
  if (a.num_elements() != 0 && b.num_elements() != 0) return false;
  if (bytes != 0) std::memset(out, 0, bytes);
  return true;
}

Status conv_output_shape(ShapeContext& c, int axes, bool depthwise) {
  PartialShape input;
  PartialShape filter;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, axes + 2, &input));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, axes + 2, &filter));
  TINYTF_ASSIGN_OR_RETURN(const WindowAttrs attrs, WindowAttrs::of_convolution(c.node(), axes));
  const int channels_dim = attrs.format.channels(attrs.rank());
  const int64_t channels = input.dim(channels_dim);
  const int64_t filter_in = filter.dim(axes);
  const int64_t filter_out = filter.dim(axes + 1);

  PartialShape output = PartialShape::unknown_of_rank(attrs.rank());
  output.set_dim(0, input.dim(0));
  if (depthwise) {
    TINYTF_ASSIGN_OR_RETURN(const int64_t depth, merge_dims(channels, filter_in));
    if (depth != kUnknownDim && filter_out != kUnknownDim) {
      const Size out = Size(depth) * filter_out;
      if (!out.ok()) return too_many_channels(depth, filter_out);
      output.set_dim(channels_dim, out.value());
    }
  } else {
    if (channels > 0 && filter_in > 0 && channels % filter_in != 0) {
      return invalid_argument("Depth of input (", channels, ") is not a multiple of input depth of filter (", filter_in,
                              ")");
    }
    output.set_dim(channels_dim, filter_out);
  }
  for (int axis = 0; axis < axes; ++axis) {
    TINYTF_ASSIGN_OR_RETURN(const int64_t size,
                            attrs.output_size(axis, input.dim(attrs.format.spatial(axis)), filter.dim(axis)));
    output.set_dim(attrs.format.spatial(axis), size);
  }
  c.set_output(0, std::move(output));
  return Status();
}

Status shape_from_sizes(ShapeContext& c, int sizes_input, int rank) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(sizes_input, 1));
  TINYTF_ASSIGN_OR_RETURN(PartialShape shape, c.input_as_shape(sizes_input).merge(PartialShape::unknown_of_rank(rank)));
  c.set_output(0, std::move(shape));
  return Status();
}

}  // namespace tinytf::ops
