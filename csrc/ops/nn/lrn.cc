#include <limits>

#include "kernels/table.h"
#include "op/registration.h"
#include "ops/loop_of.h"

namespace tinytf::ops {

namespace {

Status lrn_shape(ShapeContext& c) {
  PartialShape image;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 4, &image));
  c.set_output(0, std::move(image));
  return Status();
}

Status lrn_grad_shape(ShapeContext& c) {
  PartialShape image;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 4, &image));
  for (int i : {1, 2}) {
    TINYTF_ASSIGN_OR_RETURN(image, image.merge(c.input(i)));
  }
  c.set_output(0, std::move(image));
  return Status();
}

class LrnKernelBase : public Kernel {
 protected:
  explicit LrnKernelBase(KernelInit& init)
      : lrn_{init.attr<int64_t>("depth_radius"), init.attr<float>("bias"), init.attr<float>("alpha"),
             init.attr<float>("beta")} {
    if (lrn_.radius >= 0 && lrn_.radius < std::numeric_limits<int>::max()) return;
    init.fail(invalid_argument("depth_radius = ", lrn_.radius, " larger than int max"));
  }

  const kernels::NormalizeTable::Lrn lrn_;
};

class LrnKernel final : public LrnKernelBase {
 public:
  explicit LrnKernel(KernelInit& init)
      : LrnKernelBase(init), loop_(loop_of(init, kernels::table().normalize.lrn, init.input_type(0))) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& in = ctx.input(0);
    if (in.rank() != 4) return invalid_argument("in must be 4-dimensional");
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, in.shape()));
    const int64_t depth = in.dim(3);
    if (out->num_elements() == 0) return Status();
    loop_(in.raw(), in.num_elements() / depth, depth, lrn_, out->raw(), ctx.parallel());
    return Status();
  }

 private:
  kernels::NormalizeTable::LrnForward loop_;
};

class LrnGradKernel final : public LrnKernelBase {
 public:
  explicit LrnGradKernel(KernelInit& init)
      : LrnKernelBase(init), loop_(loop_of(init, kernels::table().normalize.lrn_grad, init.input_type(0))) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& grads = ctx.input(0);
    const Tensor& image = ctx.input(1);
    const Tensor& out_image = ctx.input(2);
    if (grads.rank() != 4 || image.shape() != grads.shape() || out_image.shape() != grads.shape()) {
      return invalid_argument("input_grads, input_image, and out_image should have the same shape");
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, grads.shape()));
    const int64_t depth = grads.dim(3);
    if (out->num_elements() == 0) return Status();
    loop_(grads.raw(), image.raw(), out_image.raw(), grads.num_elements() / depth, depth, lrn_, out->raw(),
          ctx.parallel());
    return Status();
  }

 private:
  kernels::NormalizeTable::LrnGrad loop_;
};

void lrn_attrs(OpDefBuilder& op) {
  op.attr("depth_radius: int = 5")
      .attr("bias: float = 1")
      .attr("alpha: float = 1")
      .attr("beta: float = 0.5")
      .attr("T: {half, bfloat16, float} = DT_FLOAT");
}

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(nn_lrn) {
  using namespace tinytf;
  using namespace tinytf::ops;

  OpDefBuilder forward = ops.op("LRN").input("input: T").output("output: T");
  lrn_attrs(forward);
  forward.shape(lrn_shape)
      .endpoint("nn.local_response_normalization")
      .endpoint("nn.lrn")
      .doc(
          "Normalizes the images `input` [batch, height, width, channels]: divides each element by `(bias + alpha * "
          "sum) ** beta`, where `sum` is the sum of the squares of the element and its `depth_radius` neighbors on "
          "each side along the channels.");
  kernels.add<LrnKernel>("LRN");

  OpDefBuilder backward =
      ops.op("LRNGrad").input("input_grads: T").input("input_image: T").input("output_image: T").output("output: T");
  lrn_attrs(backward);
  backward.shape(lrn_grad_shape)
      .no_gradient()
      .doc(
          "Computes the gradient of `LRN` from the gradient of its output `input_grads`, its input `input_image` and "
          "its output `output_image`.");
  kernels.add<LrnGradKernel>("LRNGrad");
}
