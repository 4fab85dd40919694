#include <atomic>

#include "op/registration.h"
#include "ops/data_flow/shared/tensor_array_kernel.h"

namespace tinytf::ops {
namespace {

class TensorArrayKernel final : public Kernel {
 public:
  explicit TensorArrayKernel(KernelInit& init)
      : name_(init.attr<std::string>("tensor_array_name")),
        spec_{init.attr<DType>("dtype"), init.attr<PartialShape>("element_shape"), init.attr<bool>("dynamic_size"),
              init.attr<bool>("clear_after_read"),
              init.node().op->find_attr("identical_element_shapes") != nullptr &&
                  init.attr<bool>("identical_element_shapes")} {
    if (name_.empty()) name_ = init.node().name;
  }

  Status compute(KernelContext& ctx) override {
    static std::atomic<int64_t> counter{0};
    if (ctx.input(0).rank() != 0) {
      return invalid_argument("TensorArray size must be scalar, but had shape: ", ctx.input(0).shape().to_string());
    }
    const int64_t size = ctx.input(0).int_at(0);
    if (size < 0) return invalid_argument("Size should be >= 0.");
    const int64_t number = counter.fetch_add(1, std::memory_order_relaxed);
    TINYTF_RETURN_IF_ERROR(set_array_output(ctx, 0, make_ref<TensorArray>(str_cat(name_, "_", number), spec_, size)));
    return ctx.num_outputs() == 1 ? Status() : set_flow_output(ctx, 1);
  }

 private:
  std::string name_;
  const TensorArray::Spec spec_;
};

class TensorArrayGradKernel final : public Kernel {
 public:
  explicit TensorArrayGradKernel(KernelInit& init) : source_(init.attr<std::string>("source")) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(check_family(ctx));
    TINYTF_ASSIGN_OR_RETURN(TensorArray * array, input_array(ctx));
    if (array->is_gradient()) {
      return invalid_argument("Wrong input container. ", kArrayGradientFamily, array->name());
    }
    Shape prefix;
    if (ctx.num_inputs() > 2) {
      TINYTF_ASSIGN_OR_RETURN(prefix, shape_of(ctx.input(2)));
    }
    TINYTF_ASSIGN_OR_RETURN(RefPtr<TensorArray> gradient, array->gradient(source_, prefix));
    TINYTF_RETURN_IF_ERROR(set_array_output(ctx, 0, std::move(gradient)));
    return ctx.num_outputs() == 1 ? Status() : set_flow_output(ctx, 1);
  }

 private:
  static Status check_family(const KernelContext& ctx) {
    if (!has_named_handle(ctx)) return Status();
    TINYTF_ASSIGN_OR_RETURN(const StepName name, input_step_name(ctx, TensorArray::kHandleRule));
    if (name.family == kArrayFamily) return Status();
    return invalid_argument("Input container should be '", kArrayFamily, "',  but received '", name.family, "'");
  }
  static Result<Shape> shape_of(const Tensor& vector) {
    if (vector.rank() != 1) {
      return invalid_argument("shape must be a vector of {int32,int64}, got shape ", vector.shape().to_string());
    }
    Dims dims;
    for (int64_t i = 0; i < vector.num_elements(); ++i) dims.push_back(vector.int_at(i));
    return Shape::checked(std::move(dims));
  }

  const std::string source_;
};

class TensorArrayCloseKernel final : public Kernel {
 public:
  explicit TensorArrayCloseKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(TensorArray * array, input_array(ctx));
    array->close();
    return Status();
  }
};

class TensorArraySizeKernel final : public Kernel {
 public:
  explicit TensorArraySizeKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(TensorArray * array, input_array(ctx));
    TINYTF_ASSIGN_OR_RETURN(const int64_t size, array->size());
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    *out->data<int32_t>() = static_cast<int32_t>(size);
    return Status();
  }
};

void set_handle_and_flow(ShapeContext& c) {
  c.set_output(0, PartialShape({2}));
  if (c.num_outputs() > 1) c.set_output(1, PartialShape::scalar());
}

Status array_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 0));
  set_handle_and_flow(c);
  const auto& shape = c.attr<PartialShape>("element_shape");
  if (shape.known_rank() || c.attr<bool>("identical_element_shapes")) {
    c.set_output_handle(0, {c.attr<DType>("dtype"), shape});
  }
  return Status();
}

/// For string handles, which carry no information about the array.
Status named_array_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 0));
  set_handle_and_flow(c);
  return Status();
}

Status gradient_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(with_handle(c));
  set_handle_and_flow(c);
  const HandleInfo* info = c.input_handle(0);
  if (info == nullptr) return Status();
  if (c.num_inputs() == 2) {
    c.set_output_handle(0, *info);
  } else {
    const PartialShape& prefix = c.input(2);
    const int64_t rank = prefix.rank() == 1 ? prefix.dim(0) : kUnknownDim;
    c.set_output_handle(0, {info->dtype, PartialShape::unknown_of_rank(rank).concatenate(info->shape)});
  }
  return Status();
}

Status array_close_shape(ShapeContext& c) { return with_handle(c); }

Status size_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(with_handle(c));
  return shapes::scalar(c);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_tensor_array_make) {
  using namespace tinytf::ops;
  ops.op("TensorArrayV3")
      .input("size: int32")
      .output("handle: resource")
      .output("flow: float")
      .attr("dtype: type")
      .attr("element_shape: shape = {unknown_rank}")
      .attr("dynamic_size: bool = false")
      .attr("clear_after_read: bool = true")
      .attr("identical_element_shapes: bool = false")
      .attr("tensor_array_name: string = ''")
      .stateful()
      .shape(array_shape)
      .not_differentiable()
      .doc(
          "Creates an array of `size` tensors that lives for one step. The output `flow` is passed from each use of "
          "the array to the next, to order them.");
  ops.op("TensorArray")
      .input("size: int32")
      .output("handle: Ref(string)")
      .attr("dtype: type")
      .attr("dynamic_size: bool = false")
      .attr("clear_after_read: bool = true")
      .attr("tensor_array_name: string = ''")
      .attr("element_shape: shape = {unknown_rank}")
      .stateful()
      .shape(shapes::unknown)
      .not_differentiable()
      .doc(
          "Creates an array of `size` tensors that lives for one step, and returns the reference handle used in the "
          "first graphs: see TensorArrayV3.");
  ops.op("TensorArrayV2")
      .input("size: int32")
      .output("handle: string")
      .attr("dtype: type")
      .attr("element_shape: shape = {unknown_rank}")
      .attr("dynamic_size: bool = false")
      .attr("clear_after_read: bool = true")
      .attr("tensor_array_name: string = ''")
      .stateful()
      .shape(named_array_shape)
      .not_differentiable()
      .doc(
          "Creates an array of `size` tensors that lives for one step, and returns the string handle used in early "
          "graphs: see TensorArrayV3.");

  ops.op("TensorArrayGradV3")
      .input("handle: resource")
      .input("flow_in: float")
      .output("grad_handle: resource")
      .output("flow_out: float")
      .attr("source: string")
      .stateful()
      .shape(gradient_shape)
      .not_differentiable()
      .doc(
          "Returns the array of the gradients of `handle` that `source` computes; the first node that asks for it "
          "creates it. Values written to the same element are added up. The array `handle` itself cannot grow any "
          "more.");
  for (const bool is_first : {true, false}) {
    ops.op(is_first ? "TensorArrayGrad" : "TensorArrayGradV2")
        .input("handle: string")
        .input("flow_in: float")
        .output(is_first ? "grad_handle: Ref(string)" : "grad_handle: string")
        .attr("source: string")
        .stateful()
        .shape(is_first ? shapes::unknown : gradient_shape)
        .not_differentiable()
        .doc("Returns the array of the gradients of `handle` that `source` computes: see TensorArrayGradV3.");
  }

  ops.op("TensorArrayGradWithShape")
      .input("handle: resource")
      .input("flow_in: float")
      .input("shape_to_prepend: int32")
      .output("grad_handle: resource")
      .output("flow_out: float")
      .attr("source: string")
      .stateful()
      .shape(gradient_shape)
      .not_differentiable()
      .doc(
          "Returns the array of the gradients of `handle` as TensorArrayGradV3 does, where the dimensions "
          "`shape_to_prepend` precede the shape of each element.");
  kernels.add<TensorArrayGradKernel>("TensorArrayGradWithShape");

  for (const ArrayOps& array : kArrayOps) {
    kernels.add<TensorArrayKernel>(array.name("TensorArray"));
    kernels.add<TensorArrayGradKernel>(array.name("TensorArrayGrad"));

    OpDefBuilder size = array.use(ops, "TensorArraySize");
    size.input("flow_in: float")
        .output("size: int32")
        .shape(array.shape(size_shape))
        .not_differentiable()
        .doc("Returns the number of elements of the array.");
    if (array.passes_state()) size.trait(Trait::kReadsResource);
    kernels.add<TensorArraySizeKernel>(array.name("TensorArraySize"));

    array.use(ops, "TensorArrayClose")
        .shape(array.shape(array_close_shape))
        .not_differentiable()
        .doc("Drops the elements of the array. Later uses of it are errors.");
    kernels.add<TensorArrayCloseKernel>(array.name("TensorArrayClose"));
  }
}
