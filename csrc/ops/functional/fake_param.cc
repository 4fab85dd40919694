#include <algorithm>
#include <cstring>

#include "op/registration.h"

namespace tinytf::ops {
namespace {

class FakeParamKernel final : public Kernel {
 public:
  explicit FakeParamKernel(KernelInit& init) : shape_(init.attr<PartialShape>("shape")) {}

  Status compute(KernelContext& ctx) override {
    Dims dims;
    for (int i = 0; i < shape_.rank(); ++i) dims.push_back(std::max<int64_t>(shape_.dim(i), 0));
    TINYTF_ASSIGN_OR_RETURN(Shape shape, Shape::checked(std::move(dims)));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, std::move(shape)));
    const bool is_plain = dtype_size(out->dtype()) > 0 && out->dtype() != DType::kString &&
                          out->dtype() != DType::kResource && out->dtype() != DType::kVariant;
    if (is_plain && out->bytes() > 0) std::memset(out->raw(), 0, out->bytes());
    return Status();
  }

 private:
  const PartialShape shape_;
};

Status attr_shape(ShapeContext& c) {
  c.set_output(0, c.attr<PartialShape>("shape"));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(functional_fake_param) {
  ops.op("FakeParam")
      .output("output: dtype")
      .attr("dtype: type")
      .attr("shape: shape")
      .shape(tinytf::ops::attr_shape)
      .no_gradient()
      .doc(
          "Returns zeros of type `dtype` and of `shape`, with 0 for unknown dimensions. Nothing reads the value: a "
          "branch returns it in place of a value that only another branch computes.");
  kernels.add<tinytf::ops::FakeParamKernel>("FakeParam");
}
