#include "io/png.h"
#include "op/registration.h"

namespace tinytf::ops {
namespace {

class EncodePngKernel final : public Kernel {
 public:
  explicit EncodePngKernel(KernelInit& init) : level_(init.int32_attr("compression")) {
    if (level_ < -1 || level_ > 9) {
      init.fail(invalid_argument("compression should be in [-1,9], got ", level_));
    }
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& image = ctx.input(0);
    if (image.rank() != 3) return invalid_argument("image must be 3-dimensional", image.shape().to_string());
    const int64_t channels = image.dim(2);
    if (channels < 1 || channels > 4) {
      return invalid_argument("image must have 1, 2, 3, or 4 channels, got ", channels);
    }
    const int bits = image.dtype() == DType::kUint16 ? 16 : 8;
    TINYTF_ASSIGN_OR_RETURN(std::string file,
                            encode_png({image.raw(), image.dim(1), image.dim(0), static_cast<int>(channels), bits},
                                       ctx.parallel(), level_));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    *out->data<std::string>() = std::move(file);
    return Status();
  }

 private:
  const int level_;
};

Status encode_png_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 3));
  c.set_output(0, PartialShape::scalar());
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(image_encode_png) {
  using namespace tinytf::ops;
  ops.op("EncodePng")
      .input("image: T")
      .output("contents: string")
      .attr("compression: int = -1")
      .attr("T: {uint8, uint16} = DT_UINT8")
      .shape(encode_png_shape)
      .not_differentiable()
      .endpoint("image.encode_png")
      .doc(
          "Encodes the image `image` [height, width, channels], with 1 to 4 channels, as a PNG file. `compression` is "
          "a level from 0 (none) to 9, or -1 for the default of zlib.");
  kernels.add<EncodePngKernel>("EncodePng").where("T", {tinytf::DType::kUint8, tinytf::DType::kUint16});
}
