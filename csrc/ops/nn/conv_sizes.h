#pragma once

#include "kernels/conv.h"
#include "op/shape_context.h"
#include "ops/nn/image.h"

namespace tinytf::ops {

/// Geometry of a convolution of `input` (in the op's format) with `filter` [spatial…, in, out], or why there is none.
Status conv_sizes(const WindowAttrs& attrs, const Shape& input, const Shape& filter, kernels::ConvShape* shape);
/// The same for a depthwise filter [height, width, channels, multiplier].
Status depthwise_sizes(const WindowAttrs& attrs, const Shape& input, const Shape& filter,
                       kernels::DepthwiseShape* shape);

/// Whether a gradient has the shape that the forward op's output had; `expected` are its sizes.
Status check_out_backprop(const char* label, const WindowAttrs& attrs, const ImageSizes& input,
                          const kernels::Window& window, const ImageSizes& expected, const Shape& out_backprop);

/// Whether there is nothing to sum because one of the operands is empty. Then the output's `bytes` are set to zero, and
/// no loop runs over sizes of which only the product is known to be a number.
bool sums_nothing(const Tensor& a, const Tensor& b, void* out, size_t bytes);

/// Shape function of a forward convolution; `depthwise`: the filter's last two dimensions multiply.
Status conv_output_shape(ShapeContext& c, int axes, bool depthwise);
/// Output 0 has the shape that input `sizes_input` holds, of this rank.
Status shape_from_sizes(ShapeContext& c, int sizes_input, int rank);

}  // namespace tinytf::ops
