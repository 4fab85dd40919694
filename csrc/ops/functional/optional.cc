#include <utility>
#include <vector>

#include "op/registration.h"
#include "ops/optional_value.h"
#include "ops/output_shapes.h"

namespace tinytf::ops {
namespace {

/// The optional in `input`; null if it is empty. InvalidArgument if the input is not a scalar or holds another type.
Result<const Optional*> optional_of(const Tensor& input) {
  if (input.rank() != 0) return invalid_argument("OptionalVariant must be a scalar");
  const Variant& element = *input.data<Variant>();
  if (!element.value) return static_cast<const Optional*>(nullptr);
  const auto* optional = element.get<Optional>();
  if (optional == nullptr) return invalid_argument("Input is not an optional: ", element.debug_string());
  return optional->values().empty() ? nullptr : optional;
}

class FromValueKernel final : public Kernel {
 public:
  explicit FromValueKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    std::vector<Tensor> values;
    for (int i = 0; i < ctx.num_inputs(); ++i) values.push_back(ctx.input(i));
    return set_optional_output(ctx, 0, std::move(values));
  }
};

class NoneKernel final : public Kernel {
 public:
  explicit NoneKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override { return set_optional_output(ctx, 0, {}); }
};

class HasValueKernel final : public Kernel {
 public:
  explicit HasValueKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const Optional* optional, optional_of(ctx.input(0)));
    ctx.set_output(0, Tensor::scalar(optional != nullptr));
    return Status();
  }
};

class GetValueKernel final : public Kernel {
 public:
  explicit GetValueKernel(KernelInit& init) : shapes_(init.attr<std::vector<PartialShape>>("output_shapes")) {
    const size_t types = init.node().outputs.size();
    if (types == shapes_.size()) return;
    init.fail(invalid_argument("output_types and output_shapes must be same length, got:\noutput_types: ", types,
                               "\noutput_shapes: ", shapes_.size()));
  }

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const Optional* optional, optional_of(ctx.input(0)));
    if (optional == nullptr) return invalid_argument("The given optional does not have a value.");
    const std::vector<Tensor>& values = optional->values();
    if (static_cast<int>(values.size()) != ctx.num_outputs()) {
      return invalid_argument("The given optional has ", values.size(), " components, expected ", ctx.num_outputs());
    }
    for (int i = 0; i < ctx.num_outputs(); ++i) {
      const Tensor& value = values[static_cast<size_t>(i)];
      const DType expected = ctx.node().outputs[i].dtype;
      if (value.dtype() != expected) {
        return invalid_argument("The given optional does not match the expected type for component ", i,
                                ". Expected: ", dtype_name(expected), ". Actual: ", dtype_name(value.dtype()), ".");
      }
      if (!shapes_[i].compatible_with(value.shape())) {
        return invalid_argument("The given optional does not match the expected shape for component ", i,
                                ". Expected: ", shapes_[i].to_string(), ". Actual: ", value.shape().to_string(), ".");
      }
      ctx.set_output(i, value);
    }
    return Status();
  }

 private:
  const std::vector<PartialShape> shapes_;
};

/// The input is a scalar; attr "output_shapes" has the shapes of the outputs.
Status value_shapes(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 0));
  return shapes::output_shapes(c);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(functional_optional) {
  using namespace tinytf::ops;
  ops.op("OptionalFromValue")
      .input("components: Toutput_types")
      .output("optional: variant")
      .attr("Toutput_types: list(type) >= 1")
      .shape(shapes::scalar)
      .doc("Wraps the tensors in `components` in an optional.");
  kernels.add<FromValueKernel>("OptionalFromValue");

  ops.op("OptionalNone")
      .output("optional: variant")
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Returns an optional without a value.");
  kernels.add<NoneKernel>("OptionalNone");

  ops.op("OptionalHasValue")
      .input("optional: variant")
      .output("has_value: bool")
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Tests whether `optional` has a value.");
  kernels.add<HasValueKernel>("OptionalHasValue");

  ops.op("OptionalGetValue")
      .input("optional: variant")
      .output("components: output_types")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .shape(value_shapes)
      .doc(
          "Returns the tensors in `optional`. Fails with InvalidArgument if it is empty or if its tensors do not match "
          "`output_types` and `output_shapes`.");
  kernels.add<GetValueKernel>("OptionalGetValue");
}
