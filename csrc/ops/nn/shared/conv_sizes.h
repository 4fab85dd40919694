#pragma once

#include "kernels/conv.h"
#include "op/shape_context.h"
#include "ops/nn/shared/image.h"

namespace tinytf::ops {

/// Geometry of a convolution of `input` (in the op's data format) with `filter` [spatial…, in, out]. InvalidArgument if
/// the shapes do not fit.
Status conv_sizes(const WindowAttrs& attrs, const Shape& input, const Shape& filter, kernels::ConvShape* shape);
/// The same for a depthwise filter [height, width, channels, multiplier].
Status depthwise_sizes(const WindowAttrs& attrs, const Shape& input, const Shape& filter,
                       kernels::DepthwiseShape* shape);

/// Fails unless `out_backprop` has the shape of the forward op's output, whose sizes are `expected`.
Status check_out_backprop(const char* label, const WindowAttrs& attrs, const ImageSizes& input,
                          const kernels::Window& window, const ImageSizes& expected, const Shape& out_backprop);

/// Whether the sum is empty because one of the operands is. It then zeroes the `bytes` of the output, so that no loop
/// runs over sizes whose partial products may overflow.
bool sums_nothing(const Tensor& a, const Tensor& b, void* out, size_t bytes);

/// Shape function of a forward convolution. With `depthwise` the number of output channels is the product of the last
/// two dimensions of the filter.
Status conv_output_shape(ShapeContext& c, int axes, bool depthwise);
/// Shape function: output 0 has the shape held by input `sizes_input`, with rank `rank`.
Status shape_from_sizes(ShapeContext& c, int sizes_input, int rank);

}  // namespace tinytf::ops
