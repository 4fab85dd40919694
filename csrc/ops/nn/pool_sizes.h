#pragma once

#include "kernels/pool.h"
#include "op/shape_context.h"
#include "ops/nn/image.h"

namespace tinytf::ops {

/// Geometry of pooling over `input` (in the op's format), whose rank is right.
Status pool_sizes(const WindowAttrs& attrs, const Shape& input, kernels::PoolShape* shape);
/// Sizes of the pooled image.
ImageSizes pooled_sizes(const WindowAttrs& attrs, const kernels::PoolShape& shape);
/// Whether `tensor`, called `name` in messages, has these sizes.
Status check_pooled(const WindowAttrs& attrs, const ImageSizes& expected, const Shape& tensor, const char* name);
/// Whether `tensor` has the rank of an image.
Status check_image_rank(const WindowAttrs& attrs, const Shape& tensor, const char* name);

/// Shape function of a pooling op; every output has the shape.
Status pool_output_shape(ShapeContext& c, int axes);

/// Attrs of a pooling kernel, read once.
class PoolKernel : public Kernel {
 protected:
  PoolKernel(KernelInit& init, int axes);
  WindowAttrs attrs_;
};

}  // namespace tinytf::ops
