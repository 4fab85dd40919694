#include <mutex>

#include "op/compact_constant.h"
#include "op/registration.h"

namespace tinytf::ops {
namespace {

void check_dtype(KernelInit& init, DType dtype) {
  if (!init.status().ok() || dtype == init.output_type(0)) return;
  init.fail(invalid_argument("Tensor 'value' of type ", dtype_name(dtype), " does not match dtype ",
                             dtype_name(init.output_type(0))));
}

class ConstKernel final : public Kernel {
 public:
  explicit ConstKernel(KernelInit& init) : value_(init.attr<Tensor>("value")) { check_dtype(init, value_.dtype()); }

  Status compute(KernelContext& ctx) override {
    ctx.set_output(0, value_);
    return Status();
  }

 private:
  const Tensor value_;
};

/// Expands a compact constant when it is first read, in the memory of the session that reads it. If that fails, the
/// next step tries again.
class CompactConstKernel final : public Kernel {
 public:
  CompactConstKernel(KernelInit& init, CompactConstant constant) : constant_(std::move(constant)) {
    check_dtype(init, constant_.dtype());
  }

  Status compute(KernelContext& ctx) override {
    std::lock_guard lock(mutex_);
    if (!value_.valid()) {
      TINYTF_ASSIGN_OR_RETURN(value_, constant_.materialise(*ctx.step().allocator));
    }
    ctx.set_output(0, value_);
    return Status();
  }

 private:
  const CompactConstant constant_;
  std::mutex mutex_;
  Tensor value_;
};

std::unique_ptr<Kernel> const_kernel(KernelInit& init) {
  if (const AttrValue* value = init.node().attrs.find("value")) {
    if (auto constant = CompactConstant::of(*value)) {
      return std::make_unique<CompactConstKernel>(init, std::move(*constant));
    }
  }
  return std::make_unique<ConstKernel>(init);
}

Status const_shape(ShapeContext& c) {
  const AttrValue& value = *c.node().attrs.find("value");
  const auto constant = CompactConstant::of(value);
  c.set_output(0, constant ? constant->shape() : std::get<Tensor>(value).shape());
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

/// Old GraphDefs write [] for an unknown shape, so only shapes of rank > 0 count.
Status placeholder_shape(ShapeContext& c) {
  c.set_output(0, c.attr<PartialShape>("shape"));
  return Status();
}

Status default_shape(ShapeContext& c) {
  const PartialShape& declared = c.attr<PartialShape>("shape");
  TINYTF_RETURN_IF_ERROR(c.input(0).merge(declared).status());
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
      .trait(Trait::kConstant)
      .shape(const_shape)
      .not_differentiable()
      .doc("Returns the constant tensor `value`.");
  kernels.add("Const", const_kernel);

  ops.op("Placeholder")
      .output("output: dtype")
      .attr("dtype: type")
      .attr("shape: shape = {unknown_rank}")
      .trait(Trait::kPlaceholder)
      .shape(placeholder_shape)
      .no_gradient()
      .doc("Stands for a value that the caller must feed. Running it without a feed fails with InvalidArgument.");
  kernels.add<PlaceholderKernel>("Placeholder");

  ops.op("PlaceholderV2")
      .output("output: dtype")
      .attr("dtype: type")
      .attr("shape: shape")
      .trait(Trait::kPlaceholder)
      .shape(placeholder_shape)
      .no_gradient()
      .doc("Stands for a value that the caller must feed. Older GraphDefs use it in place of Placeholder.");
  kernels.add<PlaceholderKernel>("PlaceholderV2");

  ops.op("PlaceholderWithDefault")
      .input("input: dtype")
      .output("output: dtype")
      .attr("dtype: type")
      .attr("shape: shape")
      .trait(Trait::kPlaceholder)
      .shape(default_shape)
      .doc("Returns the fed value, or `input` if nothing is fed.");
  kernels.add<ForwardKernel>("PlaceholderWithDefault");
}
