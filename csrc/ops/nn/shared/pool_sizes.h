#pragma once

#include "kernels/pool.h"
#include "op/shape_context.h"
#include "ops/nn/shared/image.h"

namespace tinytf::ops {

/// Geometry of pooling over `input` (in the op's data format), whose rank has been checked.
Status pool_sizes(const WindowAttrs& attrs, const Shape& input, kernels::PoolShape* shape);
/// Sizes of the pooled image.
ImageSizes pooled_sizes(const WindowAttrs& attrs, const kernels::PoolShape& shape);
/// Fails unless `tensor`, called `name` in messages, has these sizes.
Status check_pooled(const WindowAttrs& attrs, const ImageSizes& expected, const Shape& tensor, const char* name);
/// Fails unless `tensor`, called `name` in messages, has the rank of an image.
Status check_image_rank(const WindowAttrs& attrs, const Shape& tensor, const char* name);

/// Shape function of a pooling op: every output has the shape of the pooled image. As in TensorFlow, it leaves it to
/// the kernel to reject windows over the batch, and windows over the channels unless `may_pool_channels`.
Status pool_output_shape(ShapeContext& c, int axes, bool may_pool_channels);

/// Base of pooling kernels; reads the window attrs once.
class PoolKernel : public Kernel {
 protected:
  PoolKernel(KernelInit& init, int axes);
  WindowAttrs attrs_;
};

}  // namespace tinytf::ops
