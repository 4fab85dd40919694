#include <algorithm>
#include <utility>
#include <vector>

#include "op/registration.h"
#include "ops/variant_elements.h"

namespace tinytf::ops {
namespace {

/// A tuple of tensors; without tensors, the empty optional. A variant without a value is the empty optional too.
class Optional final : public VariantValue {
 public:
  explicit Optional(std::vector<Tensor> values, int depth = 1) : values_(std::move(values)), depth_(depth) {}

  const std::vector<Tensor>& values() const { return values_; }
  std::string type_name() const override { return "tensorflow::OptionalVariant"; }
  std::string debug_string() const override { return str_cat("Optional of ", values_.size(), " tensors"); }
  int64_t bytes() const override {
    int64_t sum = 0;
    for (const Tensor& value : values_) sum += static_cast<int64_t>(value.bytes());
    return sum;
  }
  int depth() const override { return depth_; }
  Result<Variant> zeros_like(Allocator& allocator) const override {
    std::vector<Tensor> zeros(values_.size());
    for (size_t i = 0; i < values_.size(); ++i) {
      TINYTF_ASSIGN_OR_RETURN(zeros[i], zeros_of_value(values_[i], allocator));
    }
    return Variant{make_ref<Optional>(std::move(zeros), depth_)};
  }
  Result<Variant> plus(const VariantValue& other, Allocator& allocator) const override {
    const auto* optional = dynamic_cast<const Optional*>(&other);
    if (optional == nullptr) {
      return invalid_argument("Trying to add an optional and a value of type ", other.type_name());
    }
    if (values_.empty() != optional->values_.empty()) {
      return invalid_argument("Cannot add optionals because one has a value and the other doesn't.");
    }
    if (values_.size() != optional->values_.size()) {
      return invalid_argument("Cannot add optionals because they have different numbers of components (",
                              values_.size(), " vs. ", optional->values_.size(), ").");
    }
    std::vector<Tensor> sums(values_.size());
    for (size_t i = 0; i < values_.size(); ++i) {
      if (values_[i].dtype() != optional->values_[i].dtype()) {
        return invalid_argument("Trying to add two optionals of ", dtype_name(values_[i].dtype()), " and ",
                                dtype_name(optional->values_[i].dtype()));
      }
      TINYTF_ASSIGN_OR_RETURN(sums[i], sum_of_values(values_[i], optional->values_[i], allocator));
    }
    return Variant{make_ref<Optional>(std::move(sums), std::max(depth_, optional->depth_))};
  }

 private:
  const std::vector<Tensor> values_;
  const int depth_;
};

Status yield(KernelContext& ctx, RefPtr<const VariantValue> value) {
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
  out->data<Variant>()->value = std::move(value);
  return Status();
}

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
    int depth = 1;
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      TINYTF_ASSIGN_OR_RETURN(const int around, depth_around(ctx.input(i)));
      depth = std::max(depth, around);
      values.push_back(ctx.input(i));
    }
    return yield(ctx, make_ref<Optional>(std::move(values), depth));
  }
};

class NoneKernel final : public Kernel {
 public:
  explicit NoneKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override { return yield(ctx, make_ref<Optional>(std::vector<Tensor>())); }
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

Status value_shapes(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 0));
  const auto& shapes = c.attr<std::vector<PartialShape>>("output_shapes");
  if (static_cast<int>(shapes.size()) != c.num_outputs()) {
    return invalid_argument("`output_shapes` must be the same length as `output_types` (", shapes.size(), " vs. ",
                            c.num_outputs());
  }
  for (size_t i = 0; i < shapes.size(); ++i) c.set_output(static_cast<int>(i), shapes[i]);
  return Status();
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
