#include "op/registration.h"
#include "ops/data_flow/shared/tensor_array_kernel.h"

namespace tinytf::ops {
namespace {

Status check_rows(const Tensor& value) {
  if (value.rank() > 0) return Status();
  return invalid_argument("Input value for unpack must be at least a vector but received shape: ",
                          value.shape().to_string());
}

class TensorArrayScatterKernel final : public Kernel {
 public:
  explicit TensorArrayScatterKernel(KernelInit& init) : dtype_(init.attr<DType>("T")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& indices = ctx.input(1);
    const Tensor& value = ctx.input(2);
    TINYTF_ASSIGN_OR_RETURN(TensorArray * array, input_array(ctx));
    TINYTF_RETURN_IF_ERROR(check_written(*array, dtype_));
    TINYTF_RETURN_IF_ERROR(check_rows(value));
    if (indices.rank() != 1) {
      return invalid_argument("Expected indices to be a vector, but received shape: ", indices.shape().to_string());
    }
    if (indices.dim(0) != value.dim(0)) {
      return invalid_argument("Expected len(indices) == values.shape[0], but saw: ", indices.dim(0), " vs. ",
                              value.dim(0));
    }
    TINYTF_RETURN_IF_ERROR(array->scatter(ctx, indices, value));
    ctx.set_output(0, ctx.input(3));
    return Status();
  }

 private:
  const DType dtype_;
};

class TensorArrayUnpackKernel final : public Kernel {
 public:
  explicit TensorArrayUnpackKernel(KernelInit& init) : dtype_(init.attr<DType>("T")) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(TensorArray * array, input_array(ctx));
    TINYTF_RETURN_IF_ERROR(check_written(*array, dtype_));
    TINYTF_RETURN_IF_ERROR(check_rows(ctx.input(1)));
    TINYTF_RETURN_IF_ERROR(array->unpack(ctx, ctx.input(1)));
    ctx.set_output(0, ctx.input(2));
    return Status();
  }

 private:
  const DType dtype_;
};

class TensorArraySplitKernel final : public Kernel {
 public:
  explicit TensorArraySplitKernel(KernelInit& init) : dtype_(init.attr<DType>("T")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& value = ctx.input(1);
    const Tensor& lengths = ctx.input(2);
    TINYTF_ASSIGN_OR_RETURN(TensorArray * array, input_array(ctx));
    TINYTF_RETURN_IF_ERROR(check_written(*array, dtype_));
    if (lengths.rank() != 1) {
      return invalid_argument("Expected lengths to be a vector, received shape: ", lengths.shape().to_string());
    }
    if (value.rank() == 0) {
      return invalid_argument("Expected value to be at least a vector, but received shape: ",
                              value.shape().to_string());
    }
    TINYTF_RETURN_IF_ERROR(array->split(ctx, value, lengths));
    ctx.set_output(0, ctx.input(3));
    return Status();
  }

 private:
  const DType dtype_;
};

Status scatter_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(with_handle(c));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank(3, 0));
  PartialShape value;
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(2, 1, &value));
  TINYTF_RETURN_IF_ERROR(merge_dims(value.dim(0), c.input(1).dim(0)).status());
  const HandleInfo* info = c.input_handle(0);
  if (info != nullptr) TINYTF_RETURN_IF_ERROR(info->shape.merge(value.slice(1)).status());
  return shapes::scalar(c);
}

/// For string handles, which carry no information about the array; the shape of `value` is not checked.
Status named_scatter_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(with_handle(c));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank(3, 0));
  return shapes::scalar(c);
}

Status split_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(with_handle(c));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank(3, 0));
  return shapes::scalar(c);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_tensor_array_divide) {
  using namespace tinytf::ops;
  const std::vector<DType> types = any_of({kArrayPlain, {DType::kResource, DType::kVariant}});
  for (const ArrayOps& array : kArrayOps) {
    array.use(ops, "TensorArrayScatter")
        .input("indices: int32")
        .input("value: T")
        .input("flow_in: float")
        .output("flow_out: float")
        .attr("T: type")
        .shape(array.shape(array.is_last ? scatter_shape : named_scatter_shape))
        .doc("Writes the rows of `value` to the elements `indices` of the array.");
    kernels.add<TensorArrayScatterKernel>(array.name("TensorArrayScatter")).where("T", types);

    array.use(ops, "TensorArraySplit")
        .input("value: T")
        .input("lengths: int64")
        .input("flow_in: float")
        .output("flow_out: float")
        .attr("T: type")
        .shape(array.shape(split_shape))
        .doc(
            "Splits `value` into pieces and writes them to the elements of the array: element i gets the next "
            "`lengths[i]` rows. The lengths must add up to the number of rows. There must be as many lengths as "
            "elements, unless the array has dynamic size.");
    kernels.add<TensorArraySplitKernel>(array.name("TensorArraySplit")).where("T", types);
  }

  ops.op("TensorArrayUnpack")
      .input("handle: Ref(string)")
      .input("value: T")
      .input("flow_in: float")
      .output("flow_out: float")
      .attr("T: type")
      .shape(shapes::unknown)
      .no_gradient()
      .doc(
          "Writes the rows of `value` to the elements of the array. There must be as many rows as elements, unless the "
          "array has dynamic size.");
  kernels.add<TensorArrayUnpackKernel>("TensorArrayUnpack").where("T", types);
}
