#include "base/checked.h"
#include "kernels/table.h"
#include "op/registration.h"
#include "ops/array/shared/element_moves.h"
#include "ops/dtype_lists.h"
#include "ops/image/shared/resize.h"
#include "ops/loop_of.h"

namespace tinytf::ops {
namespace {

class ResizeNearestNeighborKernel final : public Kernel {
 public:
  explicit ResizeNearestNeighborKernel(KernelInit& init) : attrs_(ResizeAttrs::of(init)) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& images = ctx.input(0);
    kernels::ResizeShape shape;
    TINYTF_RETURN_IF_ERROR(Resizing::read(images.shape(), ctx.input(1), &shape));
    TINYTF_ASSIGN_OR_RETURN(
        Tensor * out, ctx.allocate_output(0, Shape({shape.batch, shape.out_height, shape.out_width, shape.channels})));
    if (out->num_elements() == 0) return Status();
    const Size bytes = Size(shape.channels) * static_cast<int64_t>(dtype_size(out->dtype()));
    const Resizing resizing(ctx, shape, attrs_, /*nearest=*/true);
    kernels::table().resize.nearest(resizing.shape(), bytes.value(), images.raw(), out->raw(), ctx.parallel());
    return Status();
  }

 private:
  const ResizeAttrs attrs_;
};

class ResizeNearestNeighborGradKernel final : public Kernel {
 public:
  explicit ResizeNearestNeighborGradKernel(KernelInit& init)
      : attrs_(ResizeAttrs::of(init, /*both=*/true)),
        loop_(loop_of(init, kernels::table().resize.nearest_grad, init.output_type(0))) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& grads = ctx.input(0);
    const Tensor& size = ctx.input(1);
    if (grads.rank() != 4) return invalid_argument("input must be 4-dimensional", grads.shape().to_string());
    if (size.rank() != 1) return invalid_argument("shape_t must be 1-dimensional", size.shape().to_string());
    if (size.num_elements() != 2) return invalid_argument("shape_t must have two elements", size.shape().to_string());
    const int64_t height = size.int_at(0), width = size.int_at(1);
    if (height <= 0 || width <= 0) return invalid_argument("shape_t's elements must be positive");
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape({grads.dim(0), height, width, grads.dim(3)})));
    if (out->num_elements() == 0) return Status();
    if (grads.num_elements() == 0) {
      kernels::table().copy.fill(out->raw(), kZeroElement, dtype_size(out->dtype()), out->num_elements(),
                                 ctx.parallel());
      return Status();
    }
    const Resizing resizing(ctx, {grads.dim(0), height, width, grads.dim(1), grads.dim(2), grads.dim(3)}, attrs_,
                            /*nearest=*/true);
    loop_(resizing.shape(), grads.raw(), out->raw(), ctx.parallel());
    return Status();
  }

 private:
  const ResizeAttrs attrs_;
  const kernels::ResizeTable::Gradient loop_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(image_resize_nearest_neighbor) {
  using namespace tinytf;
  using namespace tinytf::ops;
  ops.op("ResizeNearestNeighbor")
      .input("images: T")
      .input("size: int32")
      .output("resized_images: T")
      .attr("T: {int8, uint8, int16, uint16, int32, int64, half, float, double}")
      .attr("align_corners: bool = false")
      .attr("half_pixel_centers: bool = false")
      .shape(resized_shape)
      .doc(
          "Resizes `images` [batch, height, width, channels] to the height and width in `size` [2]. Each output pixel "
          "is the nearest input pixel. `align_corners` and `half_pixel_centers` have the same meaning as in "
          "`ResizeBilinear`.");
  kernels.add<ResizeNearestNeighborKernel>("ResizeNearestNeighbor")
      .where("T", any_of({kFloats, kSigned8And16, kUnsigned8And16, kInts32And64}));

  ops.op("ResizeNearestNeighborGrad")
      .input("grads: T")
      .input("size: int32")
      .output("output: T")
      .attr("T: {uint8, int8, int32, half, float, double}")
      .attr("align_corners: bool = false")
      .attr("half_pixel_centers: bool = false")
      .shape(resized_shape)
      .no_gradient()
      .doc(
          "Computes the gradient of `ResizeNearestNeighbor` with respect to its images from the gradient `grads` of "
          "its output. `size` [2] is the height and width of the images.");
  kernels.add<ResizeNearestNeighborGradKernel>("ResizeNearestNeighborGrad")
      .where("T", {DType::kUint8, DType::kInt8, DType::kInt32, DType::kHalf, DType::kFloat, DType::kDouble});
}
