#include "op/registration.h"

namespace tinytf::ops {
namespace {

class ConstKernel final : public Kernel {
 public:
  explicit ConstKernel(KernelInit& init) : value_(init.attr<Tensor>("value")) {
    if (init.status().ok() && value_.dtype() != init.output_type(0)) {
      init.fail(invalid_argument("Tensor 'value' of type ", dtype_name(value_.dtype()), " does not match dtype ",
                                 dtype_name(init.output_type(0))));
    }
  }
  Status compute(KernelContext& ctx) override {
    ctx.set_output(0, value_);
    return Status();
  }

 private:
  const Tensor value_;
};

Status const_shape(ShapeContext& c) {
  c.set_output(0, c.attr<Tensor>("value").shape());
  return Status();
}

class PlaceholderKernel final : public Kernel {
 public:
  explicit PlaceholderKernel(KernelInit& init) : shape_(init.attr<PartialShape>("shape")) {}

  Status compute(KernelContext& ctx) override {
    std::string text = str_cat("You must feed a value for placeholder tensor '", ctx.node().name, "' with dtype ",
                               dtype_name(ctx.node().outputs[0].dtype));
    if (shape_.rank() > 0) text += str_cat(" and shape ", shape_.to_string());
    return invalid_argument(text);
  }

 private:
  const PartialShape shape_;
};

/// Old GraphDefs say [] where they mean an unknown shape: only shapes of rank > 0 count.
Status placeholder_shape(ShapeContext& c) {
  c.set_output(0, c.attr<PartialShape>("shape"));
  return Status();
}

Status default_shape(ShapeContext& c) {
  const PartialShape& declared = c.attr<PartialShape>("shape");
  TINYTF_RETURN_IF_ERROR(declared.merge(c.input(0)).status());
  c.set_output(0, declared);
  return Status();
}

class ForwardKernel final : public Kernel {
 public:
  explicit ForwardKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    ctx.set_output(0, ctx.input(0));
    return Status();
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_constant) {
  using namespace tinytf::ops;
  ops.op("Const")
      .output("output: dtype")
      .attr("value: tensor")
      .attr("dtype: type")
      .shape(const_shape)
      .not_differentiable()
      .doc("The tensor `value`.");
  kernels.add<ConstKernel>("Const");

  ops.op("Placeholder")
      .output("output: dtype")
      .attr("dtype: type")
      .attr("shape: shape = {unknown_rank}")
      .shape(placeholder_shape)
      .no_gradient()
      .doc("A value that the caller feeds; InvalidArgument if it is computed instead.");
  kernels.add<PlaceholderKernel>("Placeholder");

  ops.op("PlaceholderV2")
      .output("output: dtype")
      .attr("dtype: type")
      .attr("shape: shape")
      .shape(placeholder_shape)
      .no_gradient()
      .doc("Placeholder of older GraphDefs.");
  kernels.add<PlaceholderKernel>("PlaceholderV2");

  ops.op("PlaceholderWithDefault")
      .input("input: dtype")
      .output("output: dtype")
      .attr("dtype: type")
      .attr("shape: shape")
      .shape(default_shape)
      .doc("What is fed, by default `input`.");
  kernels.add<ForwardKernel>("PlaceholderWithDefault");
}
