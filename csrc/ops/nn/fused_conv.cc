#include "base/checked.h"
#include "kernels/table.h"
#include "op/registration.h"
#include "ops/array/shared/paddings.h"
#include "ops/dtype_lists.h"
#include "ops/image/shared/resize.h"
#include "ops/logging/shared/summarize.h"
#include "ops/loop_of.h"
#include "ops/nn/shared/conv_sizes.h"

namespace tinytf::ops {
namespace {

/// The attrs of the convolution, with the error messages of the fused ops.
WindowAttrs window_attrs(KernelInit& init) {
  const auto strides = init.attr<std::vector<int64_t>>("strides");
  if (strides.size() != 4) {
    init.fail(invalid_argument("Sliding window strides field must specify 4 dimensions"));
  } else if (strides[0] == 1 && strides[3] == 1 && (strides[1] <= 0 || strides[2] <= 0)) {
    init.fail(invalid_argument("Stride must be > 0, but got ", strides[1] <= 0 ? strides[1] : strides[2]));
  }
  if (!init.status().ok()) return WindowAttrs();
  auto attrs = WindowAttrs::of_convolution(init.node(), 2);
  if (attrs.ok()) return attrs.take();
  init.fail(attrs.status());
  return WindowAttrs();
}

/// Resizes an image (if `resizes`), pads it by mirroring, and convolves it. These are three passes, each with scratch
/// memory of the step.
template <bool resizes>
class FusedConvKernel final : public Kernel {
 public:
  explicit FusedConvKernel(KernelInit& init)
      : attrs_(window_attrs(init)),
        resize_attrs_{resizes && init.attr<bool>("resize_align_corners"), false},
        skip_(mirror_skip(init)),
        resize_(loop_of(init, kernels::table().resize.bilinear_same, init.input_type(0))),
        convolve_(loop_of(init, kernels::table().conv.forward, init.input_type(0))) {}

  Status compute(KernelContext& ctx) override {
    Tensor image = ctx.input(0);
    if (image.rank() != 4) return invalid_argument("input must be 4-dimensional", image.shape().to_string());
    if (image.num_elements() == 0) return invalid_argument("Input tensor can't be empty");
    if constexpr (resizes) {
      TINYTF_ASSIGN_OR_RETURN(image, resized(ctx, image, ctx.input(1)));
    }
    TINYTF_ASSIGN_OR_RETURN(image, padded(ctx, image, ctx.input(resizes ? 2 : 1)));
    return convolve(ctx, image, ctx.input(resizes ? 3 : 2));
  }

 private:
  Result<Tensor> resized(KernelContext& ctx, const Tensor& image, const Tensor& size) const {
    kernels::ResizeShape shape;
    TINYTF_RETURN_IF_ERROR(Resizing::read(image.shape(), size, &shape));
    if (shape.in_height == shape.out_height && shape.in_width == shape.out_width) return image;
    TINYTF_ASSIGN_OR_RETURN(
        Tensor out,
        ctx.allocate(image.dtype(), Shape({shape.batch, shape.out_height, shape.out_width, shape.channels})));
    const Resizing resizing(ctx, shape, resize_attrs_, /*nearest=*/false);
    resize_(resizing.shape(), image.raw(), out.raw(), ctx.parallel());
    return out;
  }

  Result<Tensor> padded(KernelContext& ctx, const Tensor& image, const Tensor& paddings) const {
    if (paddings.rank() == 2 && paddings.dim(1) == 2 && paddings.dim(0) != 4) {
      return invalid_argument("The first dimension of paddings must be the rank of inputs: 4 ",
                              paddings.shape().to_string(), " ", image.shape().to_string());
    }
    Paddings p;
    TINYTF_RETURN_IF_ERROR(p.read(paddings, image.shape(), /*mirrors=*/true));
    if (p.none) return image;
    const Dims& dims = image.shape().dims();
    TINYTF_RETURN_IF_ERROR(check_mirror(p, dims, skip_));
    for (const auto& [dim, name] : {std::pair(0, "batches"), std::pair(3, "channels")}) {
      if (p.before[dim] == 0 && p.after[dim] == 0) continue;
      return invalid_argument("Fused mirror padding only support spatial padding, not ", name,
                              ": Tensor<type: int32 shape: ", paddings.shape().to_string(),
                              " values: ", summarize_value(paddings, 3, ctx.parallel()), ">");
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor out, ctx.allocate(image.dtype(), p.padded(image.shape())));
    kernels::table().copy.mirror_pad(image.raw(), out.raw(), static_cast<int64_t>(dtype_size(image.dtype())), 4,
                                     dims.data(), p.before.data(), p.after.data(), skip_, ctx.parallel());
    return out;
  }

  Status convolve(KernelContext& ctx, const Tensor& image, const Tensor& filter) const {
    if (filter.rank() == 4 && filter.dim(2) != image.dim(3)) {
      return invalid_argument("input and filter must have the same depth: ", image.dim(3), " vs ", filter.dim(2));
    }
    kernels::ConvShape shape;
    TINYTF_RETURN_IF_ERROR(conv_sizes(attrs_, image.shape(), filter.shape(), &shape));
    const ImageSizes sizes = window_output(shape.batch, shape.window, shape.out_channels, 2);
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, image_shape(sizes, attrs_)));
    if (out->num_elements() == 0) return invalid_argument("Output tensor can't be empty");
    if (!sums_nothing(image, filter, out->raw(), out->bytes())) {
      convolve_(shape, image.raw(), filter.raw(), out->raw(), {}, ctx.parallel());
    }
    return Status();
  }

  const WindowAttrs attrs_;
  const ResizeAttrs resize_attrs_;
  const int skip_;
  const kernels::ResizeTable::Bilinear resize_;
  const kernels::ConvTable::Forward convolve_;
};

/// Shape of an image of shape `image` after mirror padding.
Result<PartialShape> mirrored_shape(const PartialShape& image, const Tensor* paddings) {
  PartialShape padded = PartialShape::unknown_of_rank(4);
  if (paddings == nullptr) return padded;
  for (int dim = 0; dim < 4; ++dim) {
    const int64_t before = paddings->int_at(2 * dim), after = paddings->int_at(2 * dim + 1);
    if (before < 0 || after < 0) return invalid_argument("Paddings must be non-negative");
    if (image.dim(dim) != kUnknownDim) padded.set_dim(dim, (Size(before) + after + image.dim(dim)).value());
  }
  return padded;
}

template <bool resizes>
Status fused_conv_shape(ShapeContext& c) {
  constexpr int kPaddings = resizes ? 2 : 1, kFilter = kPaddings + 1;
  PartialShape image, table, filter;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 4, &image));
  if constexpr (resizes) {
    const auto size = c.input(1).merge(PartialShape::vector(2));
    if (!size.ok()) return size.status();
  }
  TINYTF_RETURN_IF_ERROR(c.with_rank(kPaddings, 2, &table));
  if (table.dim(0) != kUnknownDim && table.dim(0) != 4) {
    return invalid_argument("Shape must be rank ", table.dim(0), " but is rank 4");
  }
  const auto merged = table.merge(PartialShape::matrix(4, 2));
  if (!merged.ok()) return merged.status();
  TINYTF_RETURN_IF_ERROR(c.with_rank(kFilter, 4, &filter));

  const auto& strides = c.attr<std::vector<int64_t>>("strides");
  if (strides.size() != 4) {
    return invalid_argument("Operation requires the stride attribute to contain 4 values, but got: ", strides.size());
  }
  TINYTF_ASSIGN_OR_RETURN(const auto padding, shapes::padding_from_string(c.attr<std::string>("padding")));
  for (int axis = 1; axis <= 2; ++axis) {
    if (strides[axis] <= 0) return invalid_argument("Stride must be > 0, but got ", strides[axis]);
  }

  if constexpr (resizes) {
    const Tensor* size = c.input_tensor(1);
    for (int axis = 0; axis < 2; ++axis) image.set_dim(1 + axis, size == nullptr ? kUnknownDim : size->int_at(axis));
  }
  TINYTF_ASSIGN_OR_RETURN(const PartialShape padded, mirrored_shape(image, c.input_tensor(kPaddings)));
  TINYTF_RETURN_IF_ERROR(merge_dims(padded.dim(3), filter.dim(2)).status());
  PartialShape out({padded.dim(0), kUnknownDim, kUnknownDim, filter.dim(3)});
  for (int axis = 0; axis < 2; ++axis) {
    WindowAttrs attrs;
    attrs.padding = padding;
    attrs.stride[axis] = strides[1 + axis];
    TINYTF_ASSIGN_OR_RETURN(const int64_t size, attrs.output_size(axis, padded.dim(1 + axis), filter.dim(axis)));
    out.set_dim(1 + axis, size);
  }
  c.set_output(0, std::move(out));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(nn_fused_conv) {
  using namespace tinytf::ops;
  ops.op("FusedPadConv2D")
      .input("input: T")
      .input("paddings: int32")
      .input("filter: T")
      .output("output: T")
      .attr("T: {half, float, double}")
      .attr("mode: {'REFLECT', 'SYMMETRIC'}")
      .attr("strides: list(int)")
      .attr("padding: {'SAME', 'VALID'}")
      .shape(fused_conv_shape<false>)
      .no_gradient()
      .doc(
          "Pads the images `input` [batch, height, width, channels] by `paddings` [4, 2] as `MirrorPad` does and "
          "convolves them with `filter` as `Conv2D` does. Batch and channels cannot be padded. The images must not be "
          "empty.");
  kernels.add<FusedConvKernel<false>>("FusedPadConv2D").where("T", kFloats);

  ops.op("FusedResizeAndPadConv2D")
      .input("input: T")
      .input("size: int32")
      .input("paddings: int32")
      .input("filter: T")
      .output("output: T")
      .attr("T: {half, float, double}")
      .attr("resize_align_corners: bool = false")
      .attr("mode: {'REFLECT', 'SYMMETRIC'}")
      .attr("strides: list(int)")
      .attr("padding: {'SAME', 'VALID'}")
      .shape(fused_conv_shape<true>)
      .no_gradient()
      .doc(
          "Resizes the images `input` to `size` [2] as `ResizeBilinear` does, but in their own dtype, then pads and "
          "convolves them as `FusedPadConv2D` does.");
  kernels.add<FusedConvKernel<true>>("FusedResizeAndPadConv2D").where("T", kFloats);
}
