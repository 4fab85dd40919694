#include "ops/loop_of.h"
#include "ops/math/shared/elementwise.h"

namespace tinytf::ops {

namespace {

using kernels::Binary;
using kernels::Unary;

Status check_same_shape(const KernelContext& ctx) {
  const Tensor& a = ctx.input(0);
  const Tensor& b = ctx.input(1);
  if (a.shape() == b.shape()) return Status();
  return invalid_argument("Inputs to operation ", ctx.node().name, " of type ", ctx.node().op->name,
                          " must have the same size and shape.  Input 0: ", a.shape().to_string(),
                          " != input 1: ", b.shape().to_string());
}

/// out = f(a, b) for inputs with equal shapes.
class ActivationGradKernel final : public Kernel {
 public:
  ActivationGradKernel(KernelInit& init, Binary op)
      : loop_(loop_of(init, kernels::table().elementwise.binary[static_cast<int>(op)], init.input_type(0))) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(check_same_shape(ctx));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, binary_output(ctx, ctx.input(0).shape()));
    kernels::run_binary(loop_, ctx.input(0).raw(), ctx.input(1).raw(), out->raw(), out->num_elements(), ctx.parallel());
    return Status();
  }

 private:
  const kernels::BinaryLoop loop_;
};

constexpr double kLeakyReluCost = 0.3;  // nanoseconds per element
constexpr int64_t kLeakyReluBlock = 1024;

class LeakyReluKernel final : public Kernel {
 public:
  explicit LeakyReluKernel(KernelInit& init)
      : loop_(loop_of(init, kernels::table().elementwise.leaky_relu, init.input_type(0))),
        size_(static_cast<int64_t>(dtype_size(init.input_type(0)))),
        alpha_(init.attr<float>("alpha")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& x = ctx.input(0);
    TINYTF_ASSIGN_OR_RETURN(Tensor * y, ctx.forward_or_allocate(0, 0, x.shape()));
    const char* in = static_cast<const char*>(x.raw());
    char* out = static_cast<char*>(y->raw());
    ctx.parallel().run(x.num_elements(), kLeakyReluBlock, kLeakyReluCost, [&](int64_t begin, int64_t end) {
      loop_(in + begin * size_, out + begin * size_, end - begin, alpha_);
    });
    return Status();
  }

 private:
  kernels::LeakyReluLoop loop_;
  int64_t size_;
  float alpha_;
};

class LeakyReluGradKernel final : public Kernel {
 public:
  explicit LeakyReluGradKernel(KernelInit& init)
      : loop_(loop_of(init, kernels::table().elementwise.leaky_relu_grad, init.input_type(0))),
        size_(static_cast<int64_t>(dtype_size(init.input_type(0)))),
        alpha_(init.attr<float>("alpha")) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(check_same_shape(ctx));
    TINYTF_ASSIGN_OR_RETURN(Tensor * backprops, binary_output(ctx, ctx.input(0).shape()));
    const char* gradients = static_cast<const char*>(ctx.input(0).raw());
    const char* features = static_cast<const char*>(ctx.input(1).raw());
    char* out = static_cast<char*>(backprops->raw());
    ctx.parallel().run(backprops->num_elements(), kLeakyReluBlock, kLeakyReluCost, [&](int64_t begin, int64_t end) {
      loop_(gradients + begin * size_, features + begin * size_, out + begin * size_, end - begin, alpha_);
    });
    return Status();
  }

 private:
  kernels::LeakyReluGradLoop loop_;
  int64_t size_;
  float alpha_;
};

constexpr const char* kFloatingAttr = "T: {half, bfloat16, float, double}";

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(nn_activation) {
  using namespace tinytf::ops;

  ops.op("Relu")
      .input("features: T")
      .output("activations: T")
      .attr("T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8}")
      .shape(shapes::unchanged)
      .endpoint("nn.relu")
      .doc("Computes the rectified linear function `max(features, 0)` element-wise.");
  add_unary_kernel(kernels, "Relu", Unary::kRelu, kReals);

  ops.op("ReluGrad")
      .input("gradients: T")
      .input("features: T")
      .output("backprops: T")
      .attr("T: realnumbertype")
      .shape(shapes::equal_inputs)
      .doc(
          "Computes the gradient of `Relu`: `gradients` where `features > 0`, else 0. Both inputs have equal shapes; "
          "`features` may also be the outputs of `Relu`.");
  add_loop_kernel<ActivationGradKernel>(kernels, "ReluGrad", Binary::kReluGrad).where("T", kReals);

  ops.op("Relu6")
      .input("features: T")
      .output("activations: T")
      .attr("T: realnumbertype")
      .shape(shapes::unchanged)
      .doc("Computes the rectified linear function with an upper bound, `min(max(features, 0), 6)`, element-wise.");
  add_unary_kernel(kernels, "Relu6", Unary::kRelu6, kReals);

  ops.op("Relu6Grad")
      .input("gradients: T")
      .input("features: T")
      .output("backprops: T")
      .attr("T: realnumbertype")
      .shape(shapes::equal_inputs)
      .doc(
          "Computes the gradient of `Relu6`: `gradients` where `0 < features < 6`, else 0. Both inputs have equal "
          "shapes.");
  add_loop_kernel<ActivationGradKernel>(kernels, "Relu6Grad", Binary::kRelu6Grad).where("T", kReals);

  ops.op("LeakyRelu")
      .input("features: T")
      .output("activations: T")
      .attr("alpha: float = 0.2")
      .attr("T: {half, bfloat16, float, double} = DT_FLOAT")
      .shape(shapes::unchanged)
      .doc("Computes `features` where they are positive and `alpha * features` elsewhere, element-wise.");
  kernels.add<LeakyReluKernel>("LeakyRelu").where("T", kAllFloats);

  ops.op("LeakyReluGrad")
      .input("gradients: T")
      .input("features: T")
      .output("backprops: T")
      .attr("alpha: float = 0.2")
      .attr("T: {half, bfloat16, float, double} = DT_FLOAT")
      .shape(shapes::equal_inputs)
      .doc(
          "Computes the gradient of `LeakyRelu`: `gradients` where `features > 0`, else `alpha * gradients`. Both "
          "inputs have equal shapes.");
  kernels.add<LeakyReluGradKernel>("LeakyReluGrad").where("T", kAllFloats);

  ops.op("Elu")
      .input("features: T")
      .output("activations: T")
      .attr(kFloatingAttr)
      .shape(shapes::unchanged)
      .endpoint("nn.elu")
      .doc(
          "Computes the exponential linear function element-wise: `exp(features) - 1` where `features < 0`, else "
          "`features`.");
  add_unary_kernel(kernels, "Elu", Unary::kElu, kAllFloats);

  ops.op("EluGrad")
      .input("gradients: T")
      .input("outputs: T")
      .output("backprops: T")
      .attr(kFloatingAttr)
      .shape(shapes::equal_inputs)
      .doc(
          "Computes the gradient of `Elu`: `gradients * (outputs + 1)` where `outputs < 0`, else `gradients`. Both "
          "inputs have equal shapes.");
  add_loop_kernel<ActivationGradKernel>(kernels, "EluGrad", Binary::kEluGrad).where("T", kAllFloats);

  ops.op("Selu")
      .input("features: T")
      .output("activations: T")
      .attr(kFloatingAttr)
      .shape(shapes::unchanged)
      .endpoint("nn.selu")
      .doc(
          "Computes the scaled exponential linear function element-wise: `scale * alpha * (exp(features) - 1)` where "
          "`features < 0`, else `scale * features`. `scale` and `alpha` are the constants of self-normalizing "
          "networks.");
  add_unary_kernel(kernels, "Selu", Unary::kSelu, kAllFloats);

  ops.op("SeluGrad")
      .input("gradients: T")
      .input("outputs: T")
      .output("backprops: T")
      .attr(kFloatingAttr)
      .shape(shapes::equal_inputs)
      .doc(
          "Computes the gradient of `Selu`: `gradients * (outputs + scale * alpha)` where `outputs < 0`, else `scale * "
          "gradients`. Both inputs have equal shapes.");
  add_loop_kernel<ActivationGradKernel>(kernels, "SeluGrad", Binary::kSeluGrad).where("T", kAllFloats);

  ops.op("Softplus")
      .input("features: T")
      .output("activations: T")
      .attr(kFloatingAttr)
      .shape(shapes::unchanged)
      .endpoint("nn.softplus")
      .endpoint("math.softplus")
      .doc("Computes `log(exp(features) + 1)` element-wise.");
  add_unary_kernel(kernels, "Softplus", Unary::kSoftplus, kAllFloats);

  ops.op("SoftplusGrad")
      .input("gradients: T")
      .input("features: T")
      .output("backprops: T")
      .attr(kFloatingAttr)
      .shape(shapes::equal_inputs)
      .doc("Computes the gradient of `Softplus`: `gradients / (exp(-features) + 1)`. Both inputs have equal shapes.");
  add_loop_kernel<ActivationGradKernel>(kernels, "SoftplusGrad", Binary::kSoftplusGrad).where("T", kAllFloats);

  ops.op("Softsign")
      .input("features: T")
      .output("activations: T")
      .attr(kFloatingAttr)
      .shape(shapes::unchanged)
      .endpoint("nn.softsign")
      .endpoint("math.softsign")
      .doc("Computes `features / (abs(features) + 1)` element-wise.");
  add_unary_kernel(kernels, "Softsign", Unary::kSoftsign, kAllFloats);

  ops.op("SoftsignGrad")
      .input("gradients: T")
      .input("features: T")
      .output("backprops: T")
      .attr(kFloatingAttr)
      .shape(shapes::equal_inputs)
      .no_gradient()
      .doc(
          "Computes the gradient of `Softsign`: `gradients / (abs(features) + 1) ** 2`. Both inputs have equal "
          "shapes.");
  add_loop_kernel<ActivationGradKernel>(kernels, "SoftsignGrad", Binary::kSoftsignGrad).where("T", kAllFloats);
}
