#include "kernels/table.h"
#include "op/registration.h"
#include "ops/array/shared/element_moves.h"
#include "ops/dtype_lists.h"
#include "ops/image/shared/resize.h"
#include "ops/loop_of.h"

namespace tinytf::ops {
namespace {

class ResizeBilinearKernel final : public Kernel {
 public:
  explicit ResizeBilinearKernel(KernelInit& init)
      : attrs_(ResizeAttrs::of(init)), loop_(loop_of(init, kernels::table().resize.bilinear, init.input_type(0))) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& images = ctx.input(0);
    kernels::ResizeShape shape;
    TINYTF_RETURN_IF_ERROR(Resizing::read(images.shape(), ctx.input(1), &shape));
    const bool same = shape.in_height == shape.out_height && shape.in_width == shape.out_width;
    if (same && images.dtype() == DType::kFloat) {
      ctx.set_output(0, images);
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(
        Tensor * out, ctx.allocate_output(0, Shape({shape.batch, shape.out_height, shape.out_width, shape.channels})));
    if (out->num_elements() == 0) return Status();
    const Resizing resizing(ctx, shape, attrs_, /*nearest=*/false);
    loop_(resizing.shape(), images.raw(), out->raw(), ctx.parallel());
    return Status();
  }

 private:
  const ResizeAttrs attrs_;
  const kernels::ResizeTable::Bilinear loop_;
};

class ResizeBilinearGradKernel final : public Kernel {
 public:
  explicit ResizeBilinearGradKernel(KernelInit& init)
      : attrs_(ResizeAttrs::of(init)),
        loop_(loop_of(init, kernels::table().resize.bilinear_grad, init.output_type(0))) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& grads = ctx.input(0);
    const Tensor& image = ctx.input(1);
    if (grads.rank() != 4) return invalid_argument("input_grad must be 4-dimensional", grads.shape().to_string());
    if (image.rank() != 4) return invalid_argument("original_image must be 4-dimensional", image.shape().to_string());
    if (grads.dim(0) != image.dim(0) || grads.dim(3) != image.dim(3)) {
      return invalid_argument("input_grad and original_image must have the same batch size and depth: ",
                              grads.shape().to_string(), " vs. ", image.shape().to_string());
    }
    TINYTF_RETURN_IF_ERROR(Resizing::check_image(image.shape()));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, image.shape()));
    if (out->num_elements() == 0) return Status();
    if (grads.num_elements() == 0) {
      kernels::table().copy.fill(out->raw(), kZeroElement, dtype_size(out->dtype()), out->num_elements(),
                                 ctx.parallel());
      return Status();
    }
    const Resizing resizing(ctx, {image.dim(0), image.dim(1), image.dim(2), grads.dim(1), grads.dim(2), image.dim(3)},
                            attrs_,
                            /*nearest=*/false);
    loop_(resizing.shape(), grads.raw(), out->raw(), ctx.parallel());
    return Status();
  }

 private:
  const ResizeAttrs attrs_;
  const kernels::ResizeTable::Gradient loop_;
};

Status gradient_shape(ShapeContext& c) {
  c.set_output(0, c.input(1));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(image_resize_bilinear) {
  using namespace tinytf::ops;
  ops.op("ResizeBilinear")
      .input("images: T")
      .input("size: int32")
      .output("resized_images: float")
      .attr("T: {int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double}")
      .attr("align_corners: bool = false")
      .attr("half_pixel_centers: bool = false")
      .shape(resized_shape)
      .doc(
          "Resizes `images` [batch, height, width, channels] to the height and width in `size` [2] by bilinear "
          "interpolation of the four neighboring pixels. With `align_corners` the centers of the corner pixels of "
          "input and output coincide, with `half_pixel_centers` their outer corners; not both may be set.");
  kernels.add<ResizeBilinearKernel>("ResizeBilinear").where("T", kReals);

  ops.op("ResizeBilinearGrad")
      .input("grads: float")
      .input("original_image: T")
      .output("output: T")
      .attr("T: {float, bfloat16, half, double}")
      .attr("align_corners: bool = false")
      .attr("half_pixel_centers: bool = false")
      .shape(gradient_shape)
      .no_gradient()
      .doc(
          "Computes the gradient of `ResizeBilinear` with respect to its images from the gradient `grads` of its "
          "output. `output` has the shape of `original_image`.");
  kernels.add<ResizeBilinearGradKernel>("ResizeBilinearGrad").where("T", kFloats);
}
