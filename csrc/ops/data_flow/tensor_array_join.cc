#include "base/checked.h"
#include "op/registration.h"
#include "ops/array/shared/concat_pieces.h"
#include "ops/data_flow/shared/tensor_array_kernel.h"

namespace tinytf::ops {
namespace {

/// Sets output 0, which has shape `shape`, to the concatenation of the values.
Status join(KernelContext& ctx, const std::vector<Tensor>& values, Shape shape) {
  if (values.size() == 1) {
    ctx.set_output(0, values[0].reshaped(std::move(shape)));
    return Status();
  }
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
  if (out->num_elements() == 0) return Status();
  concat_values(values, *out, ctx.parallel());
  return Status();
}

Shape tail_of(const Shape& shape) {
  Shape tail = shape;
  tail.remove_dim(0);
  return tail;
}

/// A shape of size 0 in its first dimension, followed by `tail`.
Shape empty_shape(const PartialShape& tail) {
  Shape shape = tail.to_shape();
  shape.insert_dim(0, 0);
  return shape;
}

/// Stacks elements of equal shape: the elements whose indices are in input 1, or all elements if the op has only a flow
/// input.
class TensorArrayGatherKernel final : public Kernel {
 public:
  explicit TensorArrayGatherKernel(KernelInit& init)
      : dtype_(init.attr<DType>("dtype")), element_shape_(init.attr<PartialShape>("element_shape")) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(TensorArray * array, input_array(ctx));
    TINYTF_RETURN_IF_ERROR(check_requested(*array, dtype_));
    TINYTF_RETURN_IF_ERROR(array->merge_element_shape(element_shape_));
    const Tensor* const indices = ctx.num_inputs() == 2 ? nullptr : &ctx.input(1);
    if (indices != nullptr && indices->rank() != 1) {
      return invalid_argument("Expected indices to be a vector, but received shape: ", indices->shape().to_string());
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor stacked, array->read_stacked(indices));
    if (stacked.valid()) {
      TINYTF_RETURN_IF_ERROR(check_first(tail_of(stacked.shape())));
      ctx.set_output(0, std::move(stacked));
      return Status();
    }
    std::vector<Tensor> values;
    TINYTF_RETURN_IF_ERROR(array->read_many(ctx, indices, &values));
    if (values.empty()) return gather_nothing(ctx);
    const Shape& first = values[0].shape();
    TINYTF_RETURN_IF_ERROR(check_first(first));
    for (size_t i = 1; i < values.size(); ++i) {
      if (values[i].shape() == first) continue;
      return invalid_argument("TensorArray has inconsistent shapes.  Index 0 has shape: ", first.to_string(),
                              " but index ", i, " has shape: ", values[i].shape().to_string());
    }
    Shape shape = first;
    shape.insert_dim(0, static_cast<int64_t>(values.size()));
    return join(ctx, values, std::move(shape));
  }

 private:
  Status check_first(const Shape& first) const {
    if (element_shape_.compatible_with(first)) return Status();
    return invalid_argument("TensorArray was passed element_shape ", element_shape_.to_string(),
                            " which does not match the Tensor at index 0: ", first.to_string());
  }
  Status gather_nothing(KernelContext& ctx) const {
    if (element_shape_.fully_defined()) return ctx.allocate_output(0, empty_shape(element_shape_)).status();
    return unimplemented("TensorArray has size zero, but element shape ", element_shape_.to_string(),
                         " is not fully defined. Currently only static shapes are supported when packing zero-size"
                         " TensorArrays.");
  }

  const DType dtype_;
  const PartialShape element_shape_;
};

class TensorArrayConcatKernel final : public Kernel {
 public:
  explicit TensorArrayConcatKernel(KernelInit& init)
      : dtype_(init.attr<DType>("dtype")), tail_(init.attr<PartialShape>("element_shape_except0")) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(TensorArray * array, input_array(ctx));
    TINYTF_RETURN_IF_ERROR(check_requested(*array, dtype_));
    std::vector<Tensor> values;
    TINYTF_RETURN_IF_ERROR(array->read_many(ctx, nullptr, &values));
    const auto count = static_cast<int64_t>(values.size());
    if (count == 0 && !tail_.fully_defined()) {
      return unimplemented("TensorArray has size zero, but element_shape_except0 ", tail_.to_string(),
                           " is not fully defined. Currently only static shapes are supported when concatenating"
                           " zero-size TensorArrays.");
    }
    Shape shape = count == 0 ? empty_shape(tail_) : Shape();
    TINYTF_ASSIGN_OR_RETURN(Tensor * lengths, ctx.allocate_output(1, Shape({count})));
    Size total = 0;
    for (int64_t i = 0; i < count; ++i) {
      const Shape& piece = values[i].shape();
      TINYTF_RETURN_IF_ERROR(i == 0 ? check_first(piece) : check_other(i, values[0].shape(), piece));
      lengths->data<int64_t>()[i] = piece.dim(0);
      total += piece.dim(0);
    }
    if (count > 0) {
      shape = values[0].shape();
      shape.set_dim(0, total.value());
    }
    return join(ctx, values, std::move(shape));
  }

 private:
  static Status check_rank(int64_t i, const Shape& shape) {
    if (shape.rank() > 0) return Status();
    return invalid_argument("Concat saw a scalar shape at index ", i,
                            " but requires at least vectors.  Did you mean to call pack?");
  }
  Status check_first(const Shape& first) const {
    TINYTF_RETURN_IF_ERROR(check_rank(0, first));
    if (tail_.compatible_with(tail_of(first))) return Status();
    return invalid_argument("TensorArray was passed element_shape_except0 ", tail_.to_string(),
                            " but index 0 has (excepting dimension 0) shape: ", tail_of(first).to_string(),
                            " which does not match.");
  }
  static Status check_other(int64_t i, const Shape& first, const Shape& other) {
    TINYTF_RETURN_IF_ERROR(check_rank(i, other));
    if (tail_of(first) == tail_of(other)) return Status();
    return invalid_argument(
        "TensorArray has inconsistent shapes.  Index 0 has (excepting dimension 0) shape: ", tail_of(first).to_string(),
        " but index ", i, " has (excepting dimension 0) shape: ", tail_of(other).to_string());
  }

  const DType dtype_;
  const PartialShape tail_;
};

Status gather_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(with_handle(c));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 0));
  const HandleInfo* info = c.input_handle(0);
  const PartialShape& element = info != nullptr ? info->shape : c.attr<PartialShape>("element_shape");
  c.set_output(0, PartialShape::vector(c.input(1).dim(0)).concatenate(element));
  return Status();
}

/// For string handles, which carry no information about the array.
Status named_gather_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(with_handle(c));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  return c.with_rank(2, 0);
}

Status concat_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(with_handle(c));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 0));
  c.set_output(1, PartialShape::vector(kUnknownDim));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_tensor_array_join) {
  using namespace tinytf::ops;
  for (const ArrayOps& array : kArrayOps) {
    array.use(ops, "TensorArrayGather")
        .input("indices: int32")
        .input("flow_in: float")
        .output("value: dtype")
        .attr("dtype: type")
        .attr("element_shape: shape = {unknown_rank}")
        .shape(array.shape(array.is_last ? gather_shape : named_gather_shape))
        .doc(
            "Stacks the elements `indices` of the array. They must have equal shapes, compatible with "
            "`element_shape`.");
    kernels.add<TensorArrayGatherKernel>(array.name("TensorArrayGather"))
        .where("dtype", any_of({kArrayPlain, {DType::kVariant}}));

    array.use(ops, "TensorArrayConcat")
        .input("flow_in: float")
        .output("value: dtype")
        .output("lengths: int64")
        .attr("dtype: type")
        .attr("element_shape_except0: shape = {unknown_rank}")
        .shape(array.shape(concat_shape))
        .doc(
            "Concatenates all elements of the array along their first dimension as `value`, and returns the number of "
            "rows of each as `lengths`. Their other dimensions must be equal.");
    kernels.add<TensorArrayConcatKernel>(array.name("TensorArrayConcat")).where("dtype", kArrayPlain);
  }

  ops.op("TensorArrayPack")
      .input("handle: Ref(string)")
      .input("flow_in: float")
      .output("value: dtype")
      .attr("dtype: type")
      .attr("element_shape: shape = {unknown_rank}")
      .shape(shapes::unknown)
      .no_gradient()
      .doc("Stacks all elements of the array. They must have equal shapes, compatible with `element_shape`.");
  kernels.add<TensorArrayGatherKernel>("TensorArrayPack").where("dtype", any_of({kArrayPlain, {DType::kVariant}}));
}
