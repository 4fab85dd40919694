#include "op/registration.h"
#include "ops/data_flow/shared/tensor_list_form.h"
#include "ops/data_flow/shared/tensor_list_kernel.h"

namespace tinytf::ops {
namespace {

class EmptyTensorListKernel final : public Kernel {
 public:
  explicit EmptyTensorListKernel(KernelInit& init) : dtype_(init.attr<DType>("element_dtype")) {}

  Status compute(KernelContext& ctx) override {
    if (ctx.input(1).rank() != 0) {
      return invalid_argument("max_num_elements expected to be a scalar but got shape: ",
                              ctx.input(1).shape().to_string());
    }
    TINYTF_ASSIGN_OR_RETURN(PartialShape shape, input_shape(ctx, 0));
    return set_list_output(ctx,
                           make_ref<TensorList>(TensorList::Spec{dtype_, std::move(shape), ctx.input(1).int_at(0)}));
  }

 private:
  const DType dtype_;
};

class TensorListReserveKernel final : public Kernel {
 public:
  explicit TensorListReserveKernel(KernelInit& init) : dtype_(init.attr<DType>("element_dtype")) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(PartialShape shape, input_shape(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const int64_t size, input_scalar(ctx, 1, "num_elements"));
    if (size < 0) return invalid_argument("num_elements must not be negative, but is ", size);
    return set_list_output(ctx, make_ref<TensorList>(TensorList::Spec{dtype_, std::move(shape)}, size));
  }

 private:
  const DType dtype_;
};

class TensorListLengthKernel final : public Kernel {
 public:
  explicit TensorListLengthKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const TensorList* list, input_list(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(Tensor * length, ctx.allocate_output(0, Shape()));
    *length->data<int32_t>() = static_cast<int32_t>(list->size());
    return Status();
  }
};

/// Sizes beyond the range of int32 are truncated, as in TensorFlow.
class TensorListElementShapeKernel final : public Kernel {
 public:
  explicit TensorListElementShapeKernel(KernelInit& init) : wide_(init.output_type(0) == DType::kInt64) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const TensorList* list, input_list(ctx, 0));
    const PartialShape& shape = list->spec().element_shape;
    Shape own;
    if (shape.known_rank()) own.add_dim(shape.rank());
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, own));
    for (int64_t i = 0; i < out->num_elements(); ++i) {
      const int64_t size = shape.known_rank() ? shape.dim(i) : -1;
      if (wide_) {
        out->data<int64_t>()[i] = size;
      } else {
        out->data<int32_t>()[i] = static_cast<int32_t>(size);
      }
    }
    return Status();
  }

 private:
  const bool wide_;
};

class TensorListResizeKernel final : public Kernel {
 public:
  explicit TensorListResizeKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const TensorList* list, input_list(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const int64_t size, input_scalar(ctx, 1, "size"));
    if (size < 0) return invalid_argument("TensorListSlice expects size to be non-negative. Got: ", size);
    TINYTF_ASSIGN_OR_RETURN(TensorList * changed, list_to_change(ctx, *list));
    return changed->resize(size);
  }
};

Status new_list_shape(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(PartialShape shape, described_shape(c, 0));
  set_list_shape(c, 0, std::move(shape));
  return Status();
}

Status element_shape_shape(ShapeContext& c) {
  const HandleInfo* info = c.input_handle(0);
  c.set_output(0, PartialShape::vector(info != nullptr ? info->shape.rank() : kUnknownDim));
  return Status();
}

Status resize_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 0));
  c.set_output(0, PartialShape::scalar());
  if (const HandleInfo* info = c.input_handle(0)) c.set_output_handle(0, *info);
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_tensor_list_make) {
  using namespace tinytf::ops;
  forms.add(TensorList::kTypeName, tensor_list_form());
  ops.op("EmptyTensorList")
      .input("element_shape: shape_type")
      .input("max_num_elements: int32")
      .output("handle: variant")
      .attr("element_dtype: type")
      .attr("shape_type: {int32, int64}")
      .shape(new_list_shape)
      .no_gradient()
      .doc(
          "Returns an empty list, to which at most `max_num_elements` tensors can be pushed, or any number if that is "
          "-1. The elements must be compatible with `element_shape`, in which -1 is an unknown size; the scalar -1 "
          "allows any shape.");
  kernels.add<EmptyTensorListKernel>("EmptyTensorList");

  ops.op("TensorListReserve")
      .input("element_shape: shape_type")
      .input("num_elements: int32")
      .output("handle: variant")
      .attr("element_dtype: type")
      .attr("shape_type: {int32, int64}")
      .shape(new_list_shape)
      .no_gradient()
      .doc("Returns a list of `num_elements` elements that are not set. They read as zeros if their shape is known.");
  kernels.add<TensorListReserveKernel>("TensorListReserve");

  ops.op("TensorListLength")
      .input("input_handle: variant")
      .output("length: int32")
      .shape(tinytf::shapes::scalar)
      .not_differentiable()
      .doc("Returns the number of elements of the list.");
  kernels.add<TensorListLengthKernel>("TensorListLength");

  ops.op("TensorListElementShape")
      .input("input_handle: variant")
      .output("element_shape: shape_type")
      .attr("shape_type: {int32, int64}")
      .shape(element_shape_shape)
      .not_differentiable()
      .doc(
          "Returns the known element shape of the list, with -1 for unknown sizes, or the scalar -1 for an unknown "
          "rank.");
  kernels.add<TensorListElementShapeKernel>("TensorListElementShape");

  ops.op("TensorListResize")
      .input("input_handle: variant")
      .input("size: int32")
      .output("output_handle: variant")
      .stateful()
      .shape(resize_shape)
      .doc("Resizes the list to `size` elements: drops elements at the end, or appends elements that are not set.");
  kernels.add<TensorListResizeKernel>("TensorListResize");
}
