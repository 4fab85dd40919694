#include "op/registration.h"

namespace tinytf::ops {
namespace {

/// Each output is the input of the same index, without a copy.
class IdentityKernel final : public Kernel {
 public:
  explicit IdentityKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    const int n = ctx.num_outputs();
    for (int i = 0; i < n; ++i) ctx.set_output(i, ctx.input(i));
    return Status();
  }
};

class RefIdentityKernel final : public Kernel {
 public:
  explicit RefIdentityKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    ctx.set_ref_output(0, &ctx.ref_input(0));
    return Status();
  }
};

Status unchanged_n(ShapeContext& c) {
  for (int i = 0; i < c.num_outputs(); ++i) {
    c.set_output(i, c.input(i));
    if (const HandleInfo* info = c.input_handle(i)) c.set_output_handle(i, *info);
  }
  return Status();
}

/// The attr with the name of the input tensor. Plans set it (see name_checked_inputs); nodes of graphs do not have it.
constexpr std::string_view kInputNameAttr = "_input";
constexpr std::string_view kNoName = "dummy_input";

class EnsureShapeKernel final : public Kernel {
 public:
  explicit EnsureShapeKernel(KernelInit& init) : shape_(init.attr<PartialShape>("shape")) {
    const std::string* input = init.node().attrs.get<std::string>(kInputNameAttr);
    input_ = input != nullptr ? *input : std::string(kNoName);
  }
  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    if (!shape_.compatible_with(input.shape())) {
      return invalid_argument("Shape of tensor ", input_, " ", input.shape().to_string(),
                              " is not compatible with expected shape ", shape_.to_string(), ".");
    }
    ctx.set_output(0, input);
    return Status();
  }

 private:
  const PartialShape shape_;
  std::string input_;  // name of the input tensor in the error message
};

Status ensure_shape(ShapeContext& c) {
  const PartialShape& wanted = c.attr<PartialShape>("shape");
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, wanted.rank()));  // TensorFlow refuses an unknown rank of a known one, too.
  TINYTF_ASSIGN_OR_RETURN(PartialShape merged, wanted.merge(c.input(0)));
  c.set_output(0, std::move(merged));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_identity) {
  using namespace tinytf::ops;
  ops.op("Identity")
      .input("input: T")
      .output("output: T")
      .attr("T: type")
      .trait(Trait::kPassesValue)
      .shape(shapes::unchanged)
      .doc("Returns `input` unchanged.");
  kernels.add<IdentityKernel>("Identity");

  ops.op("RefIdentity")
      .input("input: Ref(T)")
      .output("output: Ref(T)")
      .attr("T: type")
      .allows_uninitialized_input()
      .shape(shapes::unchanged)
      .doc("Passes the reference `input` on unchanged.");
  kernels.add<RefIdentityKernel>("RefIdentity");

  ops.op("Snapshot")
      .input("input: T")
      .output("output: T")
      .attr("T: type")
      .shape(shapes::unchanged)
      .no_gradient()
      .doc("Returns `input` unchanged.");
  kernels.add<IdentityKernel>("Snapshot");

  ops.op("IdentityN")
      .input("input: T")
      .output("output: T")
      .attr("T: list(type) >= 1")
      .shape(unchanged_n)
      .endpoint("identity_n")
      .doc("Returns the tensors in `input` unchanged. No output is available before all inputs are.");
  kernels.add<IdentityKernel>("IdentityN");

  ops.op("StopGradient")
      .input("input: T")
      .output("output: T")
      .attr("T: type")
      .shape(shapes::unchanged)
      .not_differentiable()
      .endpoint("stop_gradient")
      .doc("Returns `input` unchanged. Gradients treat it as a constant.");
  kernels.add<IdentityKernel>("StopGradient");

  ops.op("PreventGradient")
      .input("input: T")
      .output("output: T")
      .attr("T: type")
      .attr("message: string = ''")
      .shape(shapes::unchanged)
      .doc("Returns `input` unchanged. Computing a gradient through it is an error that quotes `message`.");
  kernels.add<IdentityKernel>("PreventGradient");

  ops.op("EnsureShape")
      .input("input: T")
      .output("output: T")
      .attr("shape: shape")
      .attr("T: type")
      .trait(Trait::kChecks)
      .shape(ensure_shape)
      .doc("Returns `input` unchanged. Fails with InvalidArgument if its shape is not compatible with `shape`.");
  kernels.add<EnsureShapeKernel>("EnsureShape");
}
