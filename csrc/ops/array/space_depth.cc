#include "base/checked.h"
#include "op/registration.h"
#include "ops/array/shared/element_moves.h"

namespace tinytf::ops {
namespace {

/// Indices of the dimensions in the data format.
struct Layout {
  int height, width, channels;
};
Layout layout_of(bool channels_last) { return channels_last ? Layout{1, 2, 3} : Layout{2, 3, 1}; }

/// Both ops are a transposition of the input viewed with six dimensions.
class SpaceDepthKernel final : public Kernel {
 public:
  SpaceDepthKernel(KernelInit& init, bool to_depth)
      : to_depth_(to_depth),
        block_(init.int32_attr("block_size")),
        channels_last_(init.attr<std::string>("data_format") == "NHWC") {
    if (init.attr<std::string>("data_format") == "NCHW_VECT_C") {
      init.fail(invalid_argument("Only NHWC and NCHW data_format supported on CPU. Got NCHW_VECT_C"));
    }
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    if (input.rank() != 4) return invalid_argument("Input rank should be: 4 instead of: ", input.rank());
    const Layout at = layout_of(channels_last_);
    const int64_t batch = input.dim(0), h = input.dim(at.height), w = input.dim(at.width), c = input.dim(at.channels);
    const int64_t b = block_;
    if (to_depth_ && (h % b != 0 || w % b != 0)) {
      return invalid_argument("Image width ", w, " and height ", h, " should be divisible by block_size: ", b);
    }
    if (!to_depth_ && c % (b * b) != 0) {
      return invalid_argument("Input depth dimension ", c, " should be divisible by: ", b * b);
    }
    Shape shape = input.shape();
    shape.set_dim(at.height, to_depth_ ? h / b : (Size(h) * b).value());
    shape.set_dim(at.width, to_depth_ ? w / b : (Size(w) * b).value());
    shape.set_dim(at.channels, to_depth_ ? (Size(c) * b * b).value() : c / (b * b));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    if (out->num_elements() == 0) return Status();
    int64_t dims[6];
    static constexpr int kLast[] = {0, 1, 3, 2, 4, 5}, kFirstToDepth[] = {0, 3, 5, 1, 2, 4},
                         kFirstToSpace[] = {0, 3, 4, 1, 5, 2};
    const int* perm = channels_last_ ? kLast : to_depth_ ? kFirstToDepth : kFirstToSpace;
    const auto set = [&dims](int64_t d0, int64_t d1, int64_t d2, int64_t d3, int64_t d4, int64_t d5) {
      const int64_t given[] = {d0, d1, d2, d3, d4, d5};
      std::copy_n(given, 6, dims);
    };
    if (to_depth_) {
      channels_last_ ? set(batch, h / b, b, w / b, b, c) : set(batch, c, h / b, b, w / b, b);
    } else {
      channels_last_ ? set(batch, h, w, b, b, c / (b * b)) : set(batch, b, b, c / (b * b), h, w);
    }
    return move_elements(ctx, input, *out, [&](const void* src, void* dst, size_t bytes) {
      kernels::table().copy.transpose(src, dst, bytes, 6, dims, perm, ctx.parallel());
    });
  }

 private:
  const bool to_depth_;
  const int64_t block_;  // in the range of int32, so that its square does not overflow
  const bool channels_last_;
};

/// Divides the size by `factor`, or multiplies it; an unknown size stays unknown.
Status scale(PartialShape* shape, int dim, int64_t factor, bool divide) {
  const int64_t size = shape->dim(dim);
  if (size < 0) return Status();
  if (divide && size % factor != 0) {
    return invalid_argument("Dimension size must be evenly divisible by ", factor, " but is ", size);
  }
  shape->set_dim(dim, divide ? size / factor : (Size(size) * factor).value());
  return Status();
}

Status space_depth_shape(ShapeContext& c, bool to_depth) {
  const std::string& format = c.attr<std::string>("data_format");
  if (format == "NCHW_VECT_C") return Status();
  PartialShape out;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 4, &out));
  const Layout at = layout_of(format == "NHWC");
  TINYTF_ASSIGN_OR_RETURN(const int64_t block, c.int32_attr("block_size"));
  TINYTF_RETURN_IF_ERROR(scale(&out, at.height, block, to_depth));
  TINYTF_RETURN_IF_ERROR(scale(&out, at.width, block, to_depth));
  TINYTF_RETURN_IF_ERROR(scale(&out, at.channels, block * block, !to_depth));
  c.set_output(0, std::move(out));
  return Status();
}

Status space_to_depth_shape(ShapeContext& c) { return space_depth_shape(c, true); }
Status depth_to_space_shape(ShapeContext& c) { return space_depth_shape(c, false); }

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_space_depth) {
  using namespace tinytf::ops;
  ops.op("SpaceToDepth")
      .input("input: T")
      .output("output: T")
      .attr("T: type")
      .attr("block_size: int >= 2")
      .attr("data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'")
      .shape(space_to_depth_shape)
      .doc("Moves square blocks of `block_size` * `block_size` pixels of `input` into the channel dimension.");
  kernels.add("SpaceToDepth", [](tinytf::KernelInit& init) { return std::make_unique<SpaceDepthKernel>(init, true); });

  ops.op("DepthToSpace")
      .input("input: T")
      .output("output: T")
      .attr("T: type")
      .attr("block_size: int >= 2")
      .attr("data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'")
      .shape(depth_to_space_shape)
      .doc(
          "Moves channels of `input` into square blocks of `block_size` * `block_size` pixels. It is the inverse of "
          "SpaceToDepth.");
  kernels.add("DepthToSpace", [](tinytf::KernelInit& init) { return std::make_unique<SpaceDepthKernel>(init, false); });
}
